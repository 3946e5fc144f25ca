import { createTransport } from 'nodemailer';
import type { Config } from '../config/index.ts';
import { MailRefused, type Mail } from './types.ts';

const CONNECTIONS = 3;
const CONNECT_WITHIN = 10_000;
const ANSWER_WITHIN = 30_000;
/** Failures before the server answered that another try does not mend. */
const LASTING: ReadonlySet<string> = new Set(['ENOAUTH', 'ECONFIG', 'EENVELOPE']);

const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/;

/** A password leaves this machine over TLS alone; a server without it is refused instead. */
function mustEncrypt(url: string): boolean {
  const { username, hostname } = new URL(url);
  return username !== '' && !LOOPBACK.test(hostname);
}

/** Without what the mail server said: it quotes addresses, and this text goes to the log. */
function failureOf(error: unknown): Error {
  const { code = 'unknown', responseCode } = error as { code?: string; responseCode?: number };
  const told = responseCode === undefined ? code : `${code} ${responseCode}`;
  const isLasting = responseCode === undefined ? LASTING.has(code) : responseCode >= 500;
  return isLasting ? new MailRefused(`The mail server refuses the message (${told}).`) : new Error(`The mail server did not take the message (${told}).`);
}

/** Mail by SMTP, with STARTTLS wherever the server offers it. */
export function createMail(settings: Config['mail']): Mail {
  if (!settings) {
    return {
      isConfigured: false,
      sender: '',
      send: () => Promise.reject(new MailRefused('This server is not set up to send mail.')),
      close: () => undefined,
    };
  }
  const { url, from } = settings;
  const transport = createTransport({
    url, pool: true, maxConnections: CONNECTIONS, requireTLS: mustEncrypt(url), disableFileAccess: true, disableUrlAccess: true,
    connectionTimeout: CONNECT_WITHIN, greetingTimeout: CONNECT_WITHIN, socketTimeout: ANSWER_WITHIN,
  });
  return {
    isConfigured: true,
    sender: /<([^<>]+)>/.exec(from)?.[1] ?? from,
    async send({ to, subject, text, html, ical, headers, replyTo }) {
      try {
        // As an object, so that the address is taken for what it is and never for a list.
        await transport.sendMail({
          from, to: { name: '', address: to }, subject, text, textEncoding: 'base64', ...(html === undefined ? {} : { html }), ...(headers ? { headers } : {}),
          ...(replyTo ? { replyTo } : {}), ...(ical ? { icalEvent: { ...ical, filename: 'invite.ics' } } : {}),
        });
      } catch (error) {
        throw failureOf(error);
      }
    },
    close: () => transport.close(),
  };
}
