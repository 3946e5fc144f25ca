import { EventEmitter } from 'node:events';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { WebSocket } from 'ws';
import { Connection } from '../../src/platform/push/connection.ts';
import type { Hub } from '../../src/platform/push/hub.ts';
import { quiet } from './support/db.ts';
import { authenticate } from './support/http.ts';

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

test('a closed socket leaves no timer that would ping it or check its account', () => {
  const socket = new EventEmitter();
  const hub = { closed: vi.fn() };
  const connection = new Connection(socket as unknown as WebSocket, {
    hub: hub as unknown as Hub,
    authenticate,
    log: quiet,
    signedIn: () => undefined,
  });
  expect(vi.getTimerCount()).toBeGreaterThan(0);
  socket.emit('close');
  expect(hub.closed).toHaveBeenCalledExactlyOnceWith(connection);
  expect(vi.getTimerCount()).toBe(0);
});
