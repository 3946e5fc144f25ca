import { once } from 'node:events';
import { WebSocket } from 'ws';

type Message = Record<string, unknown>;

/** A push client of a test: stores received messages, and waits for more. */
export class PushClient {
  readonly messages: Message[] = [];
  readonly socket: WebSocket;
  readonly closed: Promise<number>;
  #look: (() => void) | undefined;
  #read = 0;

  constructor(url: string) {
    this.socket = new WebSocket(url);
    this.closed = once(this.socket, 'close').then(([code]) => code as number);
    this.socket.on('message', (data: Buffer) => {
      this.messages.push(JSON.parse(data.toString('utf8')) as Message);
      this.#look?.();
    });
  }

  /** Connects and sends a token. */
  static async open(
    url: string,
    shown: { token: string } | { sessionToken: string } | { deskToken: string },
  ): Promise<PushClient> {
    const client = new PushClient(url);
    await once(client.socket, 'open');
    client.send(shown);
    await client.next();
    return client;
  }

  send(message: Message | string): void {
    this.socket.send(typeof message === 'string' ? message : JSON.stringify(message));
  }

  /** The next unread message; rejects after five seconds. */
  async next(): Promise<Message> {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const timer = setTimeout(
      () => reject(new Error(`No further message after ${JSON.stringify(this.messages)}`)),
      5_000,
    );
    this.#look = () => {
      if (this.messages.length > this.#read) resolve();
    };
    this.#look();
    try {
      await promise;
    } finally {
      clearTimeout(timer);
      this.#look = undefined;
    }
    this.#read += 1;
    return this.messages[this.#read - 1] ?? {};
  }

  /** Subscribes and reads the response up to `subscribed`. */
  async subscribe(topic: string, since?: number): Promise<Message> {
    this.send({ subscribe: [topic], ...(since === undefined ? {} : { since: { [topic]: since } }) });
    return this.next();
  }

  /** All unread messages that were sent before this call. */
  async rest(): Promise<Message[]> {
    this.send({ ping: 4_711 });
    const found: Message[] = [];
    for (let message = await this.next(); message['pong'] !== 4_711; message = await this.next()) found.push(message);
    return found;
  }
}
