import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import PostalMime from 'postal-mime';
import { SMTPServer, type SMTPServerOptions } from 'smtp-server';

/** A received mail, with decoded parts. */
export interface ReceivedMail {
  from: string;
  to: string[];
  headers: string;
  subject: string;
  text: string;
  html: string;
  /** The calendar that is an alternative to the text, and the file invite.ics. */
  ical: { method: string; content: string } | undefined;
  attached: string;
  /** All other attached files. */
  files: { name: string; type: string; size: number }[];
  /** Whether it was sent over TLS, and the sending account. */
  secure: boolean;
  user: string | undefined;
}

export interface MailServer {
  port: number;
  received: ReceivedMail[];
  /** SMTP reply codes for the next recipients, which are then rejected. */
  refusals: number[];
  close(): Promise<void>;
}

async function parse(
  raw: Buffer,
): Promise<Pick<ReceivedMail, 'headers' | 'subject' | 'text' | 'html' | 'ical' | 'attached' | 'files'>> {
  const mail = await PostalMime.parse(raw);
  const calendars = mail.attachments.filter(
    ({ mimeType }) => mimeType === 'text/calendar' || mimeType === 'application/ics',
  );
  const textOf = (part: (typeof calendars)[number] | undefined): string =>
    part ? Buffer.from(part.content as ArrayBuffer).toString('utf8') : '';
  const alternative = calendars.find(({ mimeType, method }) => mimeType === 'text/calendar' && method !== undefined);
  const attached = calendars.find(({ filename }) => filename === 'invite.ics');
  const [headers = ''] = raw.toString('utf8').split('\r\n\r\n');
  return {
    headers: headers.replace(/\r\n[ \t]/g, ' '),
    subject: mail.subject ?? '',
    text: mail.text ?? '',
    html: mail.html ?? '',
    ical: alternative && { method: alternative.method ?? '', content: textOf(alternative) },
    attached: textOf(attached),
    files: mail.attachments
      .filter((part) => !calendars.includes(part))
      .map(({ filename, mimeType, content }) => ({
        name: filename ?? '',
        type: mimeType,
        size: (content as ArrayBuffer).byteLength,
      })),
  };
}

/** A real SMTP server on this machine. */
export async function startMailServer(options: SMTPServerOptions = {}): Promise<MailServer> {
  const received: ReceivedMail[] = [];
  const refusals: number[] = [];
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    logger: false,
    ...options,
    onRcptTo(_, __, answer) {
      const code = refusals.shift();
      answer(code === undefined ? null : Object.assign(new Error('Not now'), { responseCode: code }));
    },
    onData(stream, session, answer) {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('end', () => {
        const {
          secure,
          user,
          envelope: { mailFrom, rcptTo },
        } = session;
        const take = async (): Promise<void> => {
          received.push({
            from: mailFrom ? mailFrom.address : '',
            to: rcptTo.map(({ address }) => address),
            secure,
            user: user as string | undefined,
            ...(await parse(Buffer.concat(chunks))),
          });
        };
        take().then(() => answer(), answer);
      });
    },
  });
  server.on('error', () => undefined); // clients of the tests disconnect on purpose
  server.listen(0, '127.0.0.1');
  await once(server.server, 'listening');
  return {
    received,
    refusals,
    port: (server.server.address() as AddressInfo).port,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
      }),
  };
}
