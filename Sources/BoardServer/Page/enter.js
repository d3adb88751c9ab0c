// Lets this tab change the board, and opens it. The page that is opened then is not the request of any other page.

import { storeToken } from "./server.js";

storeToken(document.querySelector("meta[name=clipcanvas-token]").content);
location.replace("/");
