import { once } from 'node:events';
import { PUSH_PATH, pushMessage, type PushMessage, type PushRequest } from '@rmeet/contract';
import { WebSocket } from 'ws';
import type { TestServer } from './server.ts';

/** A push socket of a test; stores everything it receives. */
export class TestSocket {
  readonly messages: PushMessage[] = [];
  readonly #socket: WebSocket;
  readonly #waiting = new Set<() => void>();

  constructor(socket: WebSocket) {
    this.#socket = socket;
    socket.on('message', (data: Buffer) => {
      this.messages.push(pushMessage.parse(JSON.parse(data.toString('utf8'))));
      for (const look of this.#waiting) look();
    });
  }

  send(request: PushRequest): void {
    this.#socket.send(JSON.stringify(request));
  }

  /** The first matching message, past or future; rejects after five seconds. */
  async message<T extends PushMessage>(fits: (message: PushMessage) => message is T): Promise<T>;
  async message(fits: (message: PushMessage) => boolean): Promise<PushMessage>;
  async message(fits: (message: PushMessage) => boolean): Promise<PushMessage> {
    const { promise, resolve, reject } = Promise.withResolvers<PushMessage>();
    const look = (): void => {
      const found = this.messages.find(fits);
      if (found) resolve(found);
    };
    const timer = setTimeout(() => reject(new Error(`No such message among ${JSON.stringify(this.messages)}`)), 5_000);
    this.#waiting.add(look);
    look();
    try {
      return await promise;
    } finally {
      clearTimeout(timer);
      this.#waiting.delete(look);
    }
  }

  event(type: string): Promise<PushMessage & { event: { type: string } }> {
    return this.message(
      (message): message is PushMessage & { event: { type: string } } =>
        'event' in message && message.event.type === type,
    );
  }

  /** Events so far, by type. */
  get eventTypes(): string[] {
    return this.messages.flatMap((message) => ('event' in message ? [message.event.type] : []));
  }

  async close(): Promise<void> {
    if (this.#socket.readyState === WebSocket.CLOSED) return;
    const closed = once(this.#socket, 'close');
    this.#socket.close();
    await closed;
  }

  get closed(): Promise<unknown> {
    return this.#socket.readyState === WebSocket.CLOSED ? Promise.resolve() : once(this.#socket, 'close');
  }
}

/** Connects, sends the token and subscribes. Rejects with the code with which the token is refused. */
export async function connect(
  server: TestServer,
  credentials: { token: string } | { sessionToken: string } | { deskToken: string },
  ...topics: string[]
): Promise<TestSocket> {
  const socket = new WebSocket(`${server.origin.replace('http', 'ws')}${PUSH_PATH}`);
  const test = new TestSocket(socket);
  await once(socket, 'open');
  test.send(credentials);
  const first = await test.message((message) => 'ready' in message || 'error' in message);
  if ('error' in first) throw new Error(first.error);
  if (topics.length > 0) {
    test.send({ subscribe: topics });
    for (const topic of topics)
      await test.message((message) => 'subscribed' in message && message.subscribed === topic);
  }
  return test;
}
