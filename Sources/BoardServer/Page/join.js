// The page that an invitation leads to: exchanges the token in its address for access, under a name.

import { storeGuest } from "./guest.js";
import { request, storeToken } from "./server.js";

const nameKey = "clipcanvas-name";
const find = (id) => document.getElementById(id);
const [form, input, button, problem] = [find("join"), find("name"), find("join").querySelector("button"), find("problem")];
const token = location.hash.slice(1);

// Keeps the token out of the browser's history.
history.replaceState(null, "", location.pathname);
input.value = localStorage.getItem(nameKey) ?? "";
// Another code that is opened in this tab changes only the fragment.
addEventListener("hashchange", () => location.reload());
if (!token) end("This address is not complete. Scan the code again, or copy the whole address.");

form.addEventListener("submit", (event) => {
  event.preventDefault();
  join();
});

async function join() {
  [button.disabled, problem.textContent] = [true, ""];
  try {
    const body = JSON.stringify({ token, name: input.value.trim() });
    const guest = await (await request("POST", "/join", { body })).json();
    localStorage.setItem(nameKey, input.value.trim());
    storeToken(guest.token);
    storeGuest(guest);
    location.replace("/");
  } catch (error) {
    if (error.status) return end(error.message);
    problem.textContent = error.message;
    button.disabled = false;
  }
}

/** Shows why this invitation cannot be used. */
function end(text) {
  form.hidden = true;
  problem.textContent = text;
}
