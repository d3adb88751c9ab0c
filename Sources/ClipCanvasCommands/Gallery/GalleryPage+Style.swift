extension GalleryPage {
  /// The digest that allows the style in the page's policy: the SHA-256 of its bytes, in Base64.
  static let styleDigest = "sha256-or4SjtHdMzKoTQogCCqx/Cu1kPTiPQPPdZnTVHVA20Q="

  /// The style sheet, for light and dark mode.
  static let style = [pageStyle, tileStyle, playerStyle].joined()

  /// Colours, header and controls.
  private static let pageStyle = #"""

    :root {
      --page: #ffffff; --raised: #f4f4f5; --edge: #8a8a91; --line: #e2e2e5; --shot: #ececee;
      --text: #18181b; --quiet: #5f5f66; --accent: #0a5cc2; --odd: #7a4a00; --odd-box: #ffedc7;
    }
    @media (prefers-color-scheme: dark) {
      :root {
        --page: #111113; --raised: #1f1f23; --edge: #74747c; --line: #2c2c31; --shot: #1b1b1e;
        --text: #ededef; --quiet: #a3a3ab; --accent: #7db7ff; --odd: #ffd58a; --odd-box: #40300e;
      }
    }
    *, ::before, ::after { box-sizing: border-box; }
    html { scroll-padding: 6rem 0 2rem; }
    body {
      display: flex; flex-direction: column; min-height: 100vh; margin: 0;
      background: var(--page); color: var(--text); font: 0.875rem/1.4 system-ui, sans-serif;
      --gutter: clamp(0.75rem, 2.5vw, 2rem);
    }
    [hidden] { display: none !important; }
    p, h1, h2, h3, ul { margin: 0; padding: 0; }
    ul { list-style: none; }
    a { color: var(--accent); }
    :focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; }

    body > header {
      position: sticky; top: 0; z-index: 2; display: flex; flex-wrap: wrap; gap: 0.5rem 2rem; align-items: center;
      justify-content: space-between; padding: 0.75rem var(--gutter);
      background: var(--page); border-bottom: 1px solid var(--line);
    }
    h1 { font-size: 1.25rem; line-height: 1.25; font-weight: 650; overflow-wrap: anywhere; }
    header p { color: var(--quiet); font-variant-numeric: tabular-nums; }

    #tools { display: flex; flex-wrap: wrap; gap: 0.5rem; align-items: center; }
    #shown { color: var(--quiet); font-variant-numeric: tabular-nums; margin-right: 0.25rem; }
    input, select, button, .button { font: inherit; color: inherit; }
    #tools input[type="search"], select, button, .button {
      height: 2.25rem; padding: 0 0.75rem; background: var(--raised); border: 1px solid var(--edge);
      border-radius: 0.5rem; cursor: pointer;
    }
    #tools input[type="search"] { width: 14rem; cursor: text; }
    ::placeholder { color: var(--quiet); opacity: 1; }
    .button { display: inline-flex; align-items: center; gap: 0.375rem; list-style: none; white-space: nowrap; }
    .button::-webkit-details-marker { display: none; }
    .button:has(input) { position: relative; padding: 0; width: 2.25rem; justify-content: center; font-size: 1.125rem; }
    .button input { position: absolute; inset: 0; margin: 0; opacity: 0; cursor: pointer; }
    .button:has(:checked) { background: var(--text); color: var(--page); border-color: var(--text); }
    .button:has(:focus-visible) { outline: 3px solid var(--accent); outline-offset: 2px; }
    #active { min-width: 1.25rem; padding: 0 0.25rem; border-radius: 1rem; text-align: center; font-size: 0.75rem;
      line-height: 1.25rem; background: var(--accent); color: var(--page); }
    #filters { position: relative; }
    #filters > div {
      position: absolute; right: 0; top: calc(100% + 0.5rem); z-index: 3; width: 18rem; max-width: calc(100vw - 1.5rem);
      display: grid; gap: 0.75rem; padding: 1rem; background: var(--page); border: 1px solid var(--line);
      border-radius: 0.75rem; box-shadow: 0 0.5rem 2rem #0004;
    }
    #filters label { display: grid; grid-template-columns: 4.5rem 1fr; align-items: center; color: var(--quiet); }
    #filters select { min-width: 0; color: var(--text); }
    .size { display: flex; gap: 0.5rem; align-items: center; color: var(--quiet); }
    .size input { width: 6rem; accent-color: var(--accent); }

    @media (max-width: 40rem) {
      html { scroll-padding-top: 1rem; }
      body > header { position: static; }
      #tools { flex: 1 1 100%; }
      #tools input[type="search"] { flex: 1 1 100%; width: 0; }
      #tools > select { flex: 1; min-width: 0; }
      #tools { position: relative; }
      #filters { position: static; }
      #filters > div { left: 0; width: auto; }
      .size span, #keys { display: none; }
      .size input { width: 5rem; }
    }

    """#
}
