// A shared worker with the one stream of changes of all tabs: a browser opens only six connections to a server.

import { Stream } from "./stream.js";

const ports = new Set();
const stream = new Stream((report) => {
  for (const port of ports) port.postMessage(report);
});

self.onconnect = (event) => {
  const port = event.ports[0];
  port.onmessage = ({ data }) => {
    if (data === "bye") ports.delete(port);
    if (data === "reopen") stream.reopen();
    if (data === "hello") greet(port);
  };
};

function greet(port) {
  ports.add(port);
  port.postMessage(stream.last.status);
  if (stream.last.board) port.postMessage(stream.last.board);
}
