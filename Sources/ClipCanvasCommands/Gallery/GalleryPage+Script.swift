extension GalleryPage {
  /// The digest that allows the script in the page's policy: the SHA-256 of its bytes, in Base64.
  static let scriptDigest = "sha256-VJmENzDkz+L0FAt51VS7g871u50TUi090kf8s/4CavI="

  /// The script, which sorts, searches and filters the cards, and moves the header to the top.
  ///
  /// It reads the text of the cards and never inserts markup, so names remain plain text.
  static let script = #"""

    "use strict";
    const list = document.getElementById("cards");
    const tools = document.getElementById("tools");
    const words = document.getElementById("words");
    const order = document.getElementById("order");
    const collator = new Intl.Collator(undefined, { numeric: true, sensitivity: "base" });
    const cards = Array.from(list.children, (element) => ({
      element,
      name: element.querySelector(".path").textContent,
      text: element.textContent.toLowerCase(),
      seconds: Number(element.dataset.seconds ?? -1),
      bytes: Number(element.dataset.bytes ?? -1),
      hasCover: !element.matches(".failed, .incomplete"),
    }));

    const byName = (a, b) => collator.compare(a.name, b.name) || (a.name < b.name ? -1 : Number(a.name > b.name));
    cards.sort(byName);

    // By name, or the largest first and equal ones by name.
    function sort() {
      const key = order.value;
      const sorted = key === "name" ? cards : cards.slice().sort((a, b) => b[key] - a[key]);
      list.append(...sorted.map((card) => card.element));
    }

    function filter() {
      const wanted = words.value.toLowerCase().split(/\s+/).filter(Boolean);
      const all = tools.elements.which.value === "all";
      let shown = 0;
      for (const card of cards) {
        const fits = (all || !card.hasCover) && wanted.every((word) => card.text.includes(word));
        card.element.hidden = !fits;
        shown += fits;
      }
      document.getElementById("nothing").hidden = shown > 0 || cards.length === 0;
      document.getElementById("shown").value = shown === cards.length ? "" : `${shown} of ${cards.length} shown`;
    }

    document.body.prepend(document.querySelector("header"));
    document.title += " – " + document.getElementById("counts").textContent;
    sort();
    const without = cards.filter((card) => !card.hasCover).length;
    tools.querySelectorAll("fieldset span").forEach((label, index) => {
      label.textContent += ` ${[cards.length, without][index]}`;
    });
    document.getElementById("which").hidden = without === 0;
    tools.hidden = false;
    order.addEventListener("change", sort);
    tools.addEventListener("input", filter);
    tools.addEventListener("submit", (event) => event.preventDefault());

    """#
}
