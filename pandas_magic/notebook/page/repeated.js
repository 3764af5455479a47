// A rule's cell and the saved cell below it both show the card after Run All: the first one becomes a line.

const CARD = "[data-pm-check]:not(.pm-board *)"; // the list of checks shows what it was asked for

const savedCheckOf = (cell) => {
  const words = (cell.querySelector(".cm-line")?.textContent ?? "").trim().split(/\s+/);
  return words[0] === "%%check" && words[1] === "--run" ? words[2] : "";
};

function foldRepeated(panel) {
  const cells = [...panel.querySelectorAll(".jp-CodeCell")];
  cells.forEach((cell, at) => {
    if (savedCheckOf(cell)) return;
    const below = new Set();
    for (let next = at + 1; next < cells.length && savedCheckOf(cells[next]); next += 1) {
      for (const card of cells[next].querySelectorAll(CARD)) below.add(card.dataset.pmCheck);
    }
    for (const card of cell.querySelectorAll(CARD)) foldCard(card, below.has(card.dataset.pmCheck));
  });
}

function foldCard(card, isRepeated) {
  const opener = card.querySelector(".pm-more");
  if (!isRepeated) {
    card.classList.remove("pm-repeated");
    opener?.remove();
  } else if (!opener) {
    card.classList.add("pm-repeated");
    const button = document.createElement("button");
    button.type = "button";
    button.className = "pm-more pm-action";
    button.title = "The saved cell below shows the same";
    const say = (isOpen) => {
      button.setAttribute("aria-expanded", isOpen);
      button.textContent = isOpen ? "Fold" : "Show all";
    };
    button.addEventListener("click", () => say(!card.classList.toggle("pm-repeated")));
    say(false);
    if (!card.querySelector("style.pm-live")) addStyle(card);
    card.append(button);
  }
}
