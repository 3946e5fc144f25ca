import type { MailFailure } from '@rmeet/contract';
import type { Trial } from './types.ts';

/** Milliseconds after which a trial has failed, whatever the mail server does. */
export const TRY_WITHIN = 14_000;
const DETAIL_LENGTH = 300;

/** What the mail client tells of a failure; `originalCode` is the system's. */
interface ClientError {
  code?: string;
  originalCode?: string;
  command?: string;
  response?: string;
  responseCode?: number;
  message?: string;
}

/** Replies that ask for an account or refuse it (RFC 4954, section 6). */
const OF_ACCOUNT: ReadonlySet<number> = new Set([530, 534, 535, 538]);
const OF_TLS = /certificate|self.signed|TLS|SSL|ERR_OSSL|altnames/i;
const BY_CODE: Record<string, MailFailure> = {
  EDNS: 'host',
  ENOTFOUND: 'host',
  ETIMEDOUT: 'timeout',
  ETLS: 'tls',
  EREQUIRETLS: 'tls',
  EAUTH: 'account',
  ENOAUTH: 'account',
  EOAUTH2: 'account',
};
const BY_COMMAND: Record<string, MailFailure> = { 'MAIL FROM': 'sender', 'RCPT TO': 'recipient', DATA: 'message' };

/** What there is to look at after a failure. */
function failureKind({
  code = '',
  originalCode = '',
  command = '',
  responseCode,
  message = '',
}: ClientError): MailFailure {
  const told = BY_CODE[code] ?? BY_CODE[originalCode];
  if (told) return told;
  if (responseCode !== undefined && OF_ACCOUNT.has(responseCode)) return 'account';
  // Broken off between STARTTLS and the sender, or by a certificate: no reply of the mail server's.
  if (responseCode === undefined && (OF_TLS.test(message) || OF_TLS.test(originalCode))) return 'tls';
  return BY_COMMAND[command] ?? (code === 'ECONNECTION' || code === 'ESOCKET' ? 'connection' : 'other');
}

function oneLine(text: string): string {
  return text
    .replace(/[\s\p{Cc}]+/gu, ' ')
    .trim()
    .slice(0, DETAIL_LENGTH);
}

/** Waits for the sending of a mail, not longer than `within` milliseconds. */
export async function trialOf(sending: Promise<unknown>, within: number): Promise<Trial> {
  const { promise: tooLate, resolve } = Promise.withResolvers<Trial>();
  const timer = setTimeout(() => resolve({ failure: 'timeout', detail: '' }), within);
  const sent = sending.then(
    (): Trial => ({ failure: null, detail: '' }),
    (error: ClientError): Trial => ({
      failure: failureKind(error),
      detail: oneLine(error.response ?? error.message ?? ''),
    }),
  );
  try {
    return await Promise.race([sent, tooLate]);
  } finally {
    clearTimeout(timer);
  }
}

/** A text without the name and the password of the URL's account, as they are or in base64. */
export function withoutAccount(text: string, url: string): string {
  const { username, password } = new URL(url);
  const secrets = [decodeURIComponent(password), decodeURIComponent(username)].filter((secret) => secret.length > 2);
  return secrets
    .flatMap((secret) => [secret, Buffer.from(secret).toString('base64')])
    .reduce((left, secret) => left.replaceAll(secret, '***'), text);
}
