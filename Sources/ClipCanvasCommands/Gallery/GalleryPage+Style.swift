extension GalleryPage {
  /// The digest that allows the style in the page's policy: the SHA-256 of its bytes, in Base64.
  static let styleDigest = "sha256-7gfecz78iqLmlO2i2gVLFRIeAHhB9K92Go0sy9ZZwyU="

  /// The style sheet, for light and dark mode.
  ///
  /// Off-screen cards are not laid out (`content-visibility`), so thousands of them cost little. The boxes of covers
  /// all have the same shape, whatever the shape of the cover, so nothing moves when a cover is loaded.
  static let style = #"""

    :root {
      --page: #f4f4f1; --card: #ffffff; --edge: #dededa; --shot: #e7e7e3;
      --text: #1b1b19; --quiet: #5d5d58; --link: #0b57a8;
      --bad: #a3150f; --bad-box: #fbe5e3; --odd: #734a00; --odd-box: #fdeecd;
    }
    @media (prefers-color-scheme: dark) {
      :root {
        --page: #141416; --card: #1e1e21; --edge: #323237; --shot: #0c0c0d;
        --text: #ededea; --quiet: #a6a6ac; --link: #8fc1ff;
        --bad: #ffb4ab; --bad-box: #4a1c19; --odd: #ffd58a; --odd-box: #40300e;
      }
    }
    *, ::before, ::after { box-sizing: border-box; }
    body {
      display: flex; flex-direction: column; min-height: 100vh; margin: 0;
      background: var(--page); color: var(--text);
      font: 0.875rem/1.4 system-ui, sans-serif;
    }
    [hidden] { display: none !important; }
    p, h1, ul, fieldset { margin: 0; padding: 0; }

    header {
      order: -1; display: flex; flex-wrap: wrap; gap: 0.75rem 2rem; align-items: end; justify-content: space-between;
      padding: 1.25rem clamp(0.75rem, 2.5vw, 2rem) 1rem;
    }
    h1 { font-size: 1.5rem; line-height: 1.2; font-weight: 650; overflow-wrap: anywhere; }
    header p { margin-top: 0.25rem; color: var(--quiet); }
    #tools { display: flex; flex-wrap: wrap; gap: 0.5rem 1rem; align-items: center; }
    #tools > label { display: flex; gap: 0.5rem; align-items: center; color: var(--quiet); }
    #shown:empty { margin-right: -1rem; }
    #shown { color: var(--quiet); font-variant-numeric: tabular-nums; }
    input, select { font: inherit; color: inherit; }
    #words, select {
      height: 2.125rem; padding: 0 0.625rem; color: var(--text);
      background: var(--card); border: 1px solid var(--quiet); border-radius: 0.5rem;
    }
    #words { width: 12rem; max-width: 60vw; }
    fieldset {
      display: flex; height: 2.125rem; border: 1px solid var(--quiet); border-radius: 0.5rem;
      background: var(--card); overflow: hidden;
    }
    legend { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
    fieldset label { position: relative; display: grid; }
    fieldset input { position: absolute; inset: 0; margin: 0; opacity: 0; cursor: pointer; }
    fieldset span { padding: 0 0.75rem; line-height: 2rem; white-space: nowrap; }
    fieldset input:checked + span { background: var(--text); color: var(--card); }
    :focus-visible, fieldset input:focus-visible + span { outline: 2px solid var(--link); outline-offset: 2px; }
    fieldset input:focus-visible + span { outline-offset: -4px; outline-color: currentColor; }

    main { flex: 1; padding: 0 clamp(0.75rem, 2.5vw, 2rem) 2rem; }
    #cards {
      display: grid; gap: clamp(0.625rem, 1.2vw, 1rem); list-style: none;
      grid-template-columns: repeat(auto-fill, minmax(min(13.5rem, 100%), 1fr));
    }
    #nothing { padding: 4rem 0; text-align: center; color: var(--quiet); }
    .card {
      display: flex; flex-direction: column; min-width: 0; overflow: hidden;
      background: var(--card); border: 1px solid var(--edge); border-radius: 0.625rem;
      content-visibility: auto; contain-intrinsic-size: auto 14rem auto 13rem;
    }
    .card a { display: block; color: inherit; text-decoration: none; }
    .card a:hover .name { color: var(--link); text-decoration: underline; }
    .card a:focus-visible { outline: none; }
    .card:has(a:focus-visible) { border-color: var(--link); box-shadow: inset 0 0 0 2px var(--link); }
    .card a:focus-visible .name { color: var(--link); text-decoration: underline; }
    .shot { position: relative; display: block; aspect-ratio: 16 / 9; background: var(--shot); }
    .shot img { position: absolute; width: 100%; height: 100%; object-fit: contain; font-size: 0.75rem; }
    .badge, .length { position: absolute; padding: 0 0.5rem; border-radius: 1rem; font-size: 0.75rem; line-height: 1.375rem; }
    .badge { top: 0.5rem; left: 0.5rem; font-weight: 650; background: var(--odd-box); color: var(--odd); }
    .failed .badge { background: var(--bad-box); color: var(--bad); }
    .length { right: 0.5rem; bottom: 0.5rem; background: #000000c0; color: #ffffff; font-variant-numeric: tabular-nums; }
    .none { display: flex; flex-direction: column; gap: 0.25rem; padding: 0.625rem 0.75rem;
      background: var(--odd-box); color: var(--odd); }
    .failed .none { background: var(--bad-box); color: var(--bad); }
    .none .badge { position: static; padding: 0; background: none; }
    .path { display: block; padding: 0.5rem 0.75rem 0; overflow-wrap: anywhere; }
    .folder { display: block; font-size: 0.75rem; color: var(--quiet); }
    .name { font-weight: 600; }
    .facts { display: flex; flex-wrap: wrap; column-gap: 0.375rem; padding: 0.125rem 0.75rem 0.625rem;
      color: var(--quiet); font-size: 0.8125rem; font-variant-numeric: tabular-nums; }
    .facts span:not(:last-child)::after { content: " ·"; }
    .reason { overflow-wrap: anywhere; font-size: 0.8125rem; line-height: 1.35; }
    .card > .reason { margin-top: auto; padding: 0.5rem 0.75rem; background: var(--odd-box); color: var(--odd); }
    .failed > .reason { background: var(--bad-box); color: var(--bad); }

    @media (max-width: 30rem) {
      #cards { grid-template-columns: repeat(auto-fill, minmax(min(10rem, 100%), 1fr)); }
      #tools, #tools > label:first-child, #words { flex: 1 1 100%; max-width: none; }
      #tools { flex: 1 1 100%; }
    }
    @media print {
      .card { content-visibility: visible; break-inside: avoid; }
      #tools { display: none; }
    }

    """#
}
