import { createTransport } from 'nodemailer';
import type { Config } from '../config/index.ts';
import { TRY_WITHIN, trialOf, withoutAccount } from './trial.ts';
import { MailRefused, type Mail, type Message } from './types.ts';

const CONNECTIONS = 3;
const CONNECT_WITHIN = 10_000;
const ANSWER_WITHIN = 30_000;
/** For a trial, the user waits in front of the page. */
const STEP_WITHIN = 6_000;
/** Failures before the server answered that a retry does not solve. */
const LASTING: ReadonlySet<string> = new Set(['ENOAUTH', 'ECONFIG', 'EENVELOPE']);

const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/;

/** A password is sent only over TLS; a server without it is rejected instead. */
function mustEncrypt(url: string): boolean {
  const { username, hostname } = new URL(url);
  return username !== '' && !LOOPBACK.test(hostname);
}

/** Without the mail server's message: it quotes addresses, and this text goes to the log. */
function failureOf(error: unknown): Error {
  const { code = 'unknown', responseCode } = error as { code?: string; responseCode?: number };
  const told = responseCode === undefined ? code : `${code} ${responseCode}`;
  const isLasting = responseCode === undefined ? LASTING.has(code) : responseCode >= 500;
  return isLasting
    ? new MailRefused(`The mail server refuses the message (${told}).`)
    : new Error(`The mail server did not take the message (${told}).`);
}

/** The mail server's address, without the account: `mail.example.org:587`. */
function serverOf(url: string): string {
  const { protocol, hostname, port } = new URL(url);
  return `${hostname}:${port || (protocol === 'smtps:' ? '465' : '587')}`;
}

function mailOf(from: string, { to, subject, text, html, ical, attachments, headers, replyTo }: Message) {
  return {
    // As an object, so that the address is never parsed as a list.
    from,
    to: { name: '', address: to },
    subject,
    text,
    textEncoding: 'base64' as const,
    ...(html === undefined ? {} : { html }),
    ...(attachments
      ? {
          attachments: attachments.map(({ name, type, content }) => ({ filename: name, contentType: type, content })),
        }
      : {}),
    ...(headers ? { headers } : {}),
    ...(replyTo ? { replyTo } : {}),
    ...(ical ? { icalEvent: { ...ical, filename: 'invite.ics' } } : {}),
    ...(attachments
      ? { attachments: attachments.map(({ name, type, content }) => ({ filename: name, contentType: type, content })) }
      : {}),
  };
}

/** Mail by SMTP, with STARTTLS if the server offers it. */
export function createMail(settings: Config['mail']): Mail {
  if (!settings) {
    return {
      isConfigured: false,
      sender: '',
      server: '',
      send: () => Promise.reject(new MailRefused('This server is not set up to send mail.')),
      attempt: () => Promise.reject(new MailRefused('This server is not set up to send mail.')),
      close: () => undefined,
    };
  }
  const { url, from } = settings;
  const common = { url, requireTLS: mustEncrypt(url), disableFileAccess: true, disableUrlAccess: true };
  const transport = createTransport({
    ...common,
    pool: true,
    maxConnections: CONNECTIONS,
    connectionTimeout: CONNECT_WITHIN,
    greetingTimeout: CONNECT_WITHIN,
    socketTimeout: ANSWER_WITHIN,
  });
  return {
    isConfigured: true,
    sender: /<([^<>]+)>/.exec(from)?.[1] ?? from,
    server: serverOf(url),
    async send(message) {
      try {
        await transport.sendMail(mailOf(from, message));
      } catch (error) {
        throw failureOf(error);
      }
    },
    async attempt(message) {
      const once = createTransport({
        ...common,
        dnsTimeout: STEP_WITHIN,
        connectionTimeout: STEP_WITHIN,
        greetingTimeout: STEP_WITHIN,
        socketTimeout: STEP_WITHIN,
      });
      try {
        const { failure, detail } = await trialOf(once.sendMail(mailOf(from, message)), TRY_WITHIN);
        return { failure, detail: withoutAccount(detail, url) };
      } finally {
        once.close();
      }
    },
    close: () => transport.close(),
  };
}
