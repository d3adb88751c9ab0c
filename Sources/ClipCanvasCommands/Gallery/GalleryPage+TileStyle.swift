extension GalleryPage {
  /// Tiles, folders and the clips without a cover.
  ///
  /// Tiles outside the window are not laid out (`content-visibility`), so thousands of them cost little. The boxes of
  /// covers all have the same shape, whatever the shape of the cover, so nothing moves when a cover is loaded.
  static let tileStyle = #"""

    main { flex: 1; padding: 1rem var(--gutter) 2rem; --tile: 14rem; --below: 4.25rem; }
    main[data-size="1"] { --tile: 7rem; --below: 1.75rem; }
    main[data-size="2"] { --tile: 10rem; --below: 3rem; }
    main[data-size="4"] { --tile: 20rem; }
    main[data-size="5"] { --tile: 29rem; }
    .tiles {
      display: grid; gap: clamp(0.75rem, 1.4vw, 1.25rem);
      grid-template-columns: repeat(auto-fill, minmax(min(var(--tile), 100%), 1fr));
    }
    #nothing { padding: 4rem 0; text-align: center; color: var(--quiet); }
    .card {
      position: relative; min-width: 0; content-visibility: auto;
      contain-intrinsic-size: auto var(--tile) auto calc(var(--tile) * 0.6 + var(--below));
      /* Room for the ring around a picture, which would be cut off otherwise. */
      margin: -5px; padding: 5px;
    }
    .card a, .row a { display: block; color: inherit; text-decoration: none; outline: none; }
    .card a:focus-visible .shot { outline: 3px solid var(--accent); outline-offset: 2px; }
    .card a:hover .name, .card a:focus-visible .name { color: var(--accent); }
    .row a:hover, .row a:focus-visible { color: var(--accent); text-decoration: underline; }
    .shot {
      position: relative; display: block; overflow: hidden; aspect-ratio: 16 / 9; border-radius: 0.5rem;
      background: var(--shot); touch-action: pan-y; -webkit-touch-callout: none; user-select: none;
    }
    .shot > img, .shot > canvas { position: absolute; width: 100%; height: 100%; object-fit: contain; }
    .shot > img + img, .shot > canvas { background: var(--shot); }
    .badge, .length, .moment {
      position: absolute; padding: 0 0.375rem; border-radius: 0.25rem; font-size: 0.75rem; line-height: 1.25rem;
      background: #000c; color: #fff; font-variant-numeric: tabular-nums;
    }
    .length { right: 0.375rem; bottom: 0.375rem; }
    .moment { left: 0.375rem; bottom: 0.375rem; }
    .badge { top: 0.375rem; left: 0.375rem; font-weight: 600; background: var(--odd-box); color: var(--odd); }
    button.preview { position: absolute; top: 0.75rem; right: 0.75rem; height: 1.75rem; padding: 0 0.5rem;
      font-size: 0.75rem; }
    .path { display: block; padding-top: 0.375rem; overflow-wrap: anywhere; }
    .count { color: var(--quiet); }
    .path .folder { display: block; font-size: 0.75rem; color: var(--quiet); }
    .tiles .path .folder { overflow: hidden; white-space: nowrap; text-overflow: ellipsis; }
    details.by-folder .path .folder { display: none; }
    .name { font-weight: 550; }
    .tiles .name { display: -webkit-box; -webkit-box-orient: vertical; -webkit-line-clamp: 2; overflow: hidden; }
    /* The dot before the first fact of each line is cut off. */
    .facts { display: flex; flex-wrap: wrap; margin-left: -1em; clip-path: inset(0 0 0 1em); color: var(--quiet);
      font-size: 0.75rem; font-variant-numeric: tabular-nums; }
    .facts span::before { content: "·"; display: inline-block; width: 1em; text-align: center; }
    .reason { overflow-wrap: anywhere; font-size: 0.75rem; color: var(--quiet); }
    .degraded .reason { color: var(--odd); }
    main[data-size="1"] .tiles :is(.facts, .reason, .path .folder), main[data-size="2"] .tiles .reason { display: none; }
    main[data-size="1"] .tiles .name {
      -webkit-line-clamp: 1; word-break: break-all; font-size: 0.75rem; font-weight: 400;
    }

    summary { cursor: pointer; }
    summary :is(h2, h3) { display: inline; font-size: 1rem; font-weight: 650; overflow-wrap: anywhere; }
    summary h3 { font-size: 0.875rem; }
    summary::marker { color: var(--quiet); }
    .count { font-variant-numeric: tabular-nums; margin-left: 0.25rem; }
    details.group { margin-bottom: 1.5rem; }
    details.group > summary { padding: 0.25rem 0; }
    details.group > .tiles { margin-top: 0.5rem; }
    #failures { margin-top: 2rem; padding-top: 1rem; border-top: 1px solid var(--line); }
    .cause { margin: 0.75rem 0 0 1rem; }
    .rows { margin: 0.25rem 0 0 1rem; }
    .row { padding: 0.5rem 0; content-visibility: auto; contain-intrinsic-size: auto 20rem auto 4.25rem; }
    .row:not(:last-child) { border-bottom: 1px solid var(--line); }
    .row .path { padding: 0; }
    .row .folder { display: inline; font-size: inherit; }
    .row .reason { color: inherit; font-size: 0.8125rem; }
    #keys { padding: 0 var(--gutter) 1.5rem; color: var(--quiet); font-size: 0.75rem; }
    kbd { margin-left: 0.75rem; padding: 0 0.25rem; border: 1px solid var(--edge); border-radius: 0.25rem; font: inherit; }
    kbd:first-child { margin-left: 0; }
    @media (max-width: 40rem) {
      main { --tile: 10rem; }
      main[data-size="1"] { --tile: 5.5rem; }
      main[data-size="2"] { --tile: 7rem; }
      main[data-size="4"], main[data-size="5"] { --tile: 100%; }
    }
    @media print {
      .card, .row { content-visibility: visible; break-inside: avoid; }
      #tools, #keys { display: none; }
    }

    """#
}
