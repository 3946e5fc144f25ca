import type { MailFailure } from '@rmeet/contract';

export interface Message {
  /** One address. */
  to: string;
  subject: string;
  /** Plain text. */
  text: string;
  /** The same as HTML, as an alternative to it. */
  html?: string;
  /**
   * An iCalendar object (RFC 5545), as a further alternative and attached as invite.ics; the method is said beside it
   * (RFC 6047).
   */
  ical?: { method: 'REQUEST' | 'CANCEL'; content: string };
  headers?: Record<string, string>;
  /** Where answers go in place of the sender. */
  replyTo?: { name: string; address: string };
}

/** The mail server will not take this message, however often it is tried. */
export class MailRefused extends Error {
  override readonly name = 'MailRefused';
}

/** What became of a trial. */
export interface Trial {
  /** Null: the mail server has taken the message. */
  failure: MailFailure | null;
  /**
   * What the mail server replied, or the network said: one line, without the account of the URL. It may quote
   * addresses: not for the log.
   */
  detail: string;
}

/** Sends mail; what is sent belongs into a job, because mail servers are slow and sometimes away. */
export interface Mail {
  /** Whether the server is set up to send mail (RMEET_SMTP_URL, RMEET_MAIL_FROM). */
  readonly isConfigured: boolean;
  /** The address mail comes from; empty when it is not set up. */
  readonly sender: string;
  /** Host and port of the mail server; empty when it is not set up. */
  readonly server: string;
  /**
   * Hands a message to the mail server.
   *
   * @throws MailRefused when trying again is of no use; another error when it may be
   */
  send(message: Message): Promise<void>;
  /** Hands a message over on a connection of its own and says what became of it, within 15 seconds. */
  attempt(message: Message): Promise<Trial>;
  close(): void;
}
