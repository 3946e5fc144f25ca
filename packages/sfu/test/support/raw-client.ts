import { JoinRequest, SignalRequest, SignalResponse, WrappedJoinRequest } from '@livekit/protocol';
import { WebSocket } from 'ws';
import { until } from './engine.ts';

type Response = SignalResponse['message'];
type Case = Exclude<Response['case'], undefined>;
type ValueOf<C extends Case> = Extract<Response, { case: C }>['value'];

/** A signalling connection without media, for tests of the engine's messages. */
export class RawClient {
  readonly received: Response[] = [];
  readonly socket: WebSocket;
  closed = false;

  constructor(url: string) {
    this.socket = new WebSocket(url);
    this.socket.on('message', (data: Buffer) => this.received.push(SignalResponse.fromBinary(data).message));
    this.socket.on('close', () => (this.closed = true));
    this.socket.on('error', () => (this.closed = true));
  }

  send(message: SignalRequest['message']): void {
    this.socket.send(new SignalRequest({ message }).toBinary());
  }

  /** Waits for a message of this kind. */
  async message<C extends Case>(kind: C): Promise<ValueOf<C>> {
    const found = await until(`a message ${kind} comes`, () => this.received.find((message) => message.case === kind));
    return found.value as ValueOf<C>;
  }
}

export function dualUrl(port: number, token: string, more = ''): string {
  return `ws://127.0.0.1:${port}/rtc?access_token=${token}&protocol=16&sdk=js&auto_subscribe=1${more}`;
}

export function singleUrl(port: number, token: string, request: Partial<JoinRequest>): string {
  const wrapped = new WrappedJoinRequest({ joinRequest: new JoinRequest(request).toBinary() });
  const encoded = Buffer.from(wrapped.toBinary()).toString('base64url');
  return `ws://127.0.0.1:${port}/rtc/v1?access_token=${token}&join_request=${encoded}`;
}
