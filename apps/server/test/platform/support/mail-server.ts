import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { SMTPServer, type SMTPServerOptions } from 'smtp-server';

/** A mail as it came in, its parts decoded. */
export interface Received {
  from: string;
  to: string[];
  headers: string;
  subject: string;
  text: string;
  /** Whether it came over TLS, and the account it was sent by. */
  secure: boolean;
  user: string | undefined;
}

export interface MailServer {
  port: number;
  received: Received[];
  /** What the next addressees are answered in place of being taken: reply codes of SMTP. */
  refusals: number[];
  close(): Promise<void>;
}

const fromBase64 = (text: string): string => Buffer.from(text, 'base64').toString('utf8');

/** Words of a header as RFC 2047 writes them; those in base64 and in quoted-printable. */
function decodeHeader(value: string): string {
  return value.replace(/\?=\s+=\?/g, '?==?').replace(/=\?UTF-8\?([BQ])\?([^?]*)\?=/gi, (_, kind: string, text: string) =>
    kind.toUpperCase() === 'B' ? fromBase64(text) : decodeURIComponent(text.replaceAll('_', ' ').replaceAll('%', '%25').replace(/=([0-9A-F]{2})/g, '%$1')));
}

function parse(raw: string): Pick<Received, 'headers' | 'subject' | 'text'> {
  const [headers = '', ...body] = raw.split('\r\n\r\n');
  const unfolded = headers.replace(/\r\n[ \t]/g, ' ');
  return { headers: unfolded, subject: decodeHeader(/^Subject: (.*)$/im.exec(unfolded)?.[1] ?? ''), text: fromBase64(body.join('\r\n\r\n')) };
}

/** A real SMTP server on this machine. */
export async function startMailServer(options: SMTPServerOptions = {}): Promise<MailServer> {
  const received: Received[] = [];
  const refusals: number[] = [];
  const server = new SMTPServer({
    authOptional: true, disabledCommands: ['STARTTLS'], logger: false, ...options,
    onRcptTo(_, __, answer) {
      const code = refusals.shift();
      answer(code === undefined ? null : Object.assign(new Error('Not now'), { responseCode: code }));
    },
    onData(stream, session, answer) {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('end', () => {
        const { envelope: { mailFrom, rcptTo } } = session;
        received.push({
          from: mailFrom ? mailFrom.address : '', to: rcptTo.map(({ address }) => address), secure: session.secure, user: session.user as string | undefined,
          ...parse(Buffer.concat(chunks).toString('utf8')),
        });
        answer();
      });
    },
  });
  server.on('error', () => undefined); // clients of the tests break off on purpose
  server.listen(0, '127.0.0.1');
  await once(server.server, 'listening');
  return {
    received, refusals,
    port: (server.server.address() as AddressInfo).port,
    close: () => new Promise((resolve) => { server.close(() => resolve()); }),
  };
}
