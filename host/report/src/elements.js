// Elements of the page, made of text.

export function element(name, text = "", attributes = {}) {
  const one = document.createElement(name);
  one.textContent = text;
  for (const [key, value] of Object.entries(attributes)) one.setAttribute(key, value);
  return one;
}

export function button(text, press, attributes = {}) {
  const one = element("button", text, { type: "button", ...attributes });
  one.addEventListener("click", press);
  return one;
}

// Pairs of a name and a text.
export function factList(pairs) {
  const list = element("dl");
  for (const [name, text] of pairs) list.append(element("dt", name), element("dd", text));
  return list;
}
