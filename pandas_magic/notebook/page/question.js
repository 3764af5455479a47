// A question's choices become buttons: a click writes the choice into the cell that asked, and runs it.

// The way of a person: the cell is made the active one, and the toolbar's button runs it. Both listen to "mousedown".
function runCell(element) {
  const cell = element.closest(".jp-Cell");
  const panel = element.closest(".jp-NotebookPanel") ?? document;
  const run = panel.querySelector('[data-command="notebook:run-cell-and-select-next"]');
  const prompt = cell?.querySelector(".jp-InputPrompt");
  if (!run || !prompt) return false;
  const press = { bubbles: true, cancelable: true, button: 0 };
  prompt.dispatchEvent(new MouseEvent("mousedown", press));
  prompt.dispatchEvent(new MouseEvent("mouseup", press));
  run.dispatchEvent(new MouseEvent("mousedown", press));
  return true;
}

// How many rows a choice would flag, and which, for whoever does not see what stands below it.
const told = (sentence) =>
  [...sentence.parentElement.querySelectorAll(".pm-about, dt, dd")].map((each) => each.textContent).join(", ");

// Arrow keys go from choice to choice.
function step(event) {
  const by = { ArrowUp: -1, ArrowDown: 1 }[event.key];
  const choices = [...event.currentTarget.querySelectorAll("button.pm-choice")];
  const at = choices.indexOf(event.target);
  if (!by || at < 0) return;
  event.preventDefault();
  event.stopPropagation();
  choices[at + by]?.focus();
}

function makeQuestion(element, { cell, before, after }, { bridge }) {
  const said = document.createElement("p");
  said.setAttribute("role", "status");
  said.className = "pm-where";
  const undo = [() => said.remove()];
  const take = (text) => {
    const asking = bridge.notebook.cells.find((one) => idOf(one) === cell);
    if (!asking || asking.getSource() !== before) {
      said.textContent = "This cell was changed since it asked; run it again.";
      return;
    }
    asking.setSource(text);
    // The editor shows the new text before it is run.
    requestAnimationFrame(() => {
      if (!runCell(element)) said.textContent = "Written into the cell; run it.";
    });
  };
  [...element.querySelectorAll(".pm-choice")].forEach((sentence, number) => {
    const button = document.createElement("button");
    button.type = "button";
    button.className = "pm-choice";
    button.title = "Write this into the cell and run it";
    button.textContent = sentence.textContent;
    if (told(sentence)) button.setAttribute("aria-description", told(sentence));
    button.addEventListener("click", () => take(after[number]));
    sentence.replaceWith(button);
    undo.push(() => button.replaceWith(sentence));
  });
  element.addEventListener("keydown", step);
  undo.push(() => element.removeEventListener("keydown", step));
  element.append(said);
  addStyle(element);
  return () => undo.forEach((each) => each());
}

// The look of what is live, beside the card's own.
function addStyle(element) {
  const style = document.createElement("style");
  style.className = "pm-live";
  style.textContent = LIVE_STYLE;
  element.append(style);
}
