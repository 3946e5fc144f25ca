#!/usr/bin/env node
/**
 * Replaces Firefox's program when Playwright starts it: starts the Firefox given by RMEET_FIREFOX with the same
 * arguments, and forwards WebDriver BiDi. Playwright sends each new context a command that Firefox lacks (emulated
 * colour schemes) and treats the refusal as a failure; it is answered here. Ends with Firefox.
 */
import { spawn } from 'node:child_process';
import type { AddressInfo } from 'node:net';
import { createInterface } from 'node:readline';
import { WebSocket, WebSocketServer } from 'ws';

const LACKING = 'emulation.setMediaFeaturesOverride';
/** Firefox's output when it can be controlled, which Playwright waits for. */
const LISTENING = /^WebDriver BiDi listening on (ws:\/\/\S+)$/;

const firefox = spawn(process.env['RMEET_FIREFOX'] ?? '', process.argv.slice(2), {
  stdio: ['ignore', 'inherit', 'pipe'],
});
firefox.on('exit', (code) => process.exit(code ?? 1));
firefox.on('error', (error) => {
  process.stderr.write(`${String(error)}\n`);
  process.exit(1);
});
createInterface(firefox.stderr).on('line', (line) => {
  const address = LISTENING.exec(line)?.[1];
  if (address === undefined) process.stderr.write(`${line}\n`);
  else relay(address);
});

function relay(address: string): void {
  const server = new WebSocketServer({ host: '127.0.0.1', port: 0 });
  server.on('listening', () =>
    process.stderr.write(`WebDriver BiDi listening on ws://127.0.0.1:${(server.address() as AddressInfo).port}\n`),
  );
  server.on('connection', (client) => {
    const browser = new WebSocket(`${address}/session`, { maxPayload: 0 });
    const opened = new Promise((resolve) => browser.once('open', resolve));
    client.on('message', (data: Buffer) => {
      const text = data.toString();
      const { id, method } = JSON.parse(text) as { id: number; method: string };
      if (method === LACKING) client.send(JSON.stringify({ type: 'success', id, result: {} }));
      else void opened.then(() => browser.send(text));
    });
    browser.on('message', (data: Buffer) => client.send(data.toString()));
    browser.on('close', () => client.close());
    client.on('close', () => browser.close());
  });
}
