import type { MailFailure } from '@rmeet/contract';

export interface Message {
  /** One address. */
  to: string;
  subject: string;
  /** Plain text. */
  text: string;
  /** The same text as HTML, as an alternative. */
  html?: string;
  /**
   * An iCalendar object (RFC 5545), as a further alternative and attached as invite.ics; the method is in the content
   * type (RFC 6047).
   */
  ical?: { method: 'REQUEST' | 'CANCEL'; content: string };
  /** Files that come with it; `type` is the MIME type. */
  attachments?: readonly { name: string; type: string; content: Buffer }[];
  headers?: Record<string, string>;
  /** The reply address instead of the sender. */
  replyTo?: { name: string; address: string };
}

/** The mail server permanently rejects this message. */
export class MailRefused extends Error {
  override readonly name = 'MailRefused';
}

/** The result of a trial. */
export interface Trial {
  /** Null: the mail server has accepted the message. */
  failure: MailFailure | null;
  /**
   * The mail server's reply, or the network error: one line, without the account of the URL. It may quote addresses:
   * not for the log.
   */
  detail: string;
}

/** Sends mail; use it in a job, because mail servers are slow and sometimes unavailable. */
export interface Mail {
  /** Whether the server is configured to send mail (RMEET_SMTP_URL, RMEET_MAIL_FROM). */
  readonly isConfigured: boolean;
  /** The sender address; empty if not configured. */
  readonly sender: string;
  /** Host and port of the mail server; empty if not configured. */
  readonly server: string;
  /**
   * Sends a message to the mail server.
   *
   * @throws MailRefused if a retry is of no use; another error if it may help
   */
  send(message: Message): Promise<void>;
  /** Sends a message on its own connection and returns the result, within 15 seconds. */
  attempt(message: Message): Promise<Trial>;
  close(): void;
}
