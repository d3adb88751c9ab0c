extension GalleryPage {
  /// The player, which is dark in both modes.
  static let playerStyle = #"""

    #player {
      width: 100vw; height: 100vh; height: 100dvh; max-width: none; max-height: none; margin: 0; padding: 0; border: 0;
      background: #0b0b0d; color: #f2f2f4; --accent: #8fc1ff;
    }
    #player[open] {
      display: grid; grid-template: auto minmax(0, 1fr) / 3.5rem minmax(0, 1fr) 3.5rem;
      grid-template-areas: "top top top" "previous stage next";
    }
    #player::backdrop { background: #0b0b0d; }
    #player header { grid-area: top; display: flex; gap: 0.75rem; align-items: center; padding: 0.75rem 1rem; }
    #player header div { flex: 1; min-width: 0; }
    #player h2 { font-size: 1rem; line-height: 1.3; overflow-wrap: anywhere; }
    #player p { color: #b8b8c0; font-size: 0.8125rem; overflow-wrap: anywhere; }
    #player a { white-space: nowrap; }
    #player button { width: 2.5rem; height: 2.5rem; padding: 0; border: 0; border-radius: 50%; background: #fff2;
      font-size: 1.25rem; line-height: 1; }
    #player button:hover { background: #fff4; }
    #player-previous { grid-area: previous; place-self: center; }
    #player-next { grid-area: next; place-self: center; }
    #stage { grid-area: stage; display: flex; flex-direction: column; align-items: center; justify-content: center;
      min-height: 0; padding-bottom: 1rem; }
    #stage video { width: 100%; height: 100%; min-height: 0; background: #000; border-radius: 0.5rem; }
    #stage img { max-width: 100%; min-height: 0; border-radius: 0.5rem; object-fit: contain; }
    #unplayable:empty { display: none; }
    #player #unplayable { padding: 0.75rem; color: inherit; font-size: 0.875rem; text-align: center; }
    @media (max-width: 40rem) {
      #player[open] {
        grid-template: auto minmax(0, 1fr) auto / 1fr 1fr; grid-template-areas: "top top" "stage stage" "previous next";
      }
      #player button { margin: 0 0 0.5rem; }
      #player header button { margin: 0; }
    }

    """#
}
