// The panel of %eda in the place of its static text; what is clicked in its report chooses the rows of its grid.

const WHERE = "data-pm-where";
const WAIT_MS = 50;
const MOST_WAITS = 1200; // a page that was loaded anew fetches hundreds of widgets first

function makePanel(element, { model }, { bridge }) {
  const before = [...element.childNodes];
  const area = element.closest(".jp-OutputArea");
  let view = null;
  let isOver = false;
  showView(bridge.model.widget_manager, model, element)
    .then((made) => {
      view = made;
      if (isOver) view.remove();
      else area?.classList.add("pm-panel-live"); // its saved report need not be seen twice
    })
    .catch((error) => {
      if (!isOver) element.append(make("p", "pm-where", `${error.message}: run this cell again.`));
    });
  element.addEventListener("click", choose);
  element.addEventListener("keydown", choose);
  const opened = new Set(); // what a person has opened in the report
  const marker = new MutationObserver(() => {
    keepOpen(element, opened);
    markParts(element);
  });
  marker.observe(element, { childList: true, subtree: true });
  return () => {
    isOver = true;
    marker.disconnect();
    element.removeEventListener("click", choose);
    element.removeEventListener("keydown", choose);
    area?.classList.remove("pm-panel-live");
    view?.remove();
    element.replaceChildren(...before);
  };
}

async function showView(manager, id, element) {
  for (let waits = 0; !manager.has_model(id); waits += 1) {
    // The words of JupyterLab for a widget whose announcement was lost under load.
    if (waits === MOST_WAITS) throw new Error("Error displaying widget: model not found");
    await new Promise((resolve) => setTimeout(resolve, WAIT_MS));
  }
  const view = await manager.create_view(await manager.get_model(id));
  element.replaceChildren();
  // Widgets of widgets hear of their place in the page only when their library puts them there.
  view.luminoWidget.constructor.attach(view.luminoWidget, element);
  markParts(element);
  return view;
}

const ROWS = '[data-pm-part^="eda-rows"]'; // the panel of a table that has no room has none

// A text that is static elsewhere is a button here.
function markParts(element) {
  if (!element.querySelector(ROWS)) return;
  for (const part of element.querySelectorAll(`[${WHERE}]:not([role="button"])`)) {
    part.setAttribute("role", "button");
    part.setAttribute("tabindex", "0");
    if (part instanceof SVGElement) {
      const tip = document.createElementNS("http://www.w3.org/2000/svg", "title");
      tip.textContent = part.getAttribute("aria-label");
      part.append(tip);
    }
  }
}

// The report is drawn anew as its parts arrive: what a person has opened stays open, before anything is painted.
function keepOpen(element, opened) {
  for (const part of element.querySelectorAll("details[data-pm-keep]:not([data-pm-kept])")) {
    part.dataset.pmKept = "yes";
    part.open = opened.has(part.dataset.pmKeep);
    part.addEventListener("toggle", () => {
      if (!part.isConnected) return;
      part.open ? opened.add(part.dataset.pmKeep) : opened.delete(part.dataset.pmKeep);
    });
  }
}

function choose(event) {
  const part = event.target.closest?.(`[${WHERE}]`);
  if (!part || (event.type === "keydown" && event.key !== "Enter" && event.key !== " ")) return;
  // The cards of checks that were made here have grids, too.
  const grid = event.currentTarget.querySelector(`${ROWS} .pm-grid`)?.pmGrid;
  if (!grid) return;
  event.preventDefault(); // a bar in a heading that unfolds does not unfold it
  grid.chooseWithin(part.getAttribute(WHERE), part.getAttribute("aria-label") || part.textContent);
  grid.root.scrollIntoView({ block: "nearest", behavior: "smooth" });
}
