import type { Locale, NoticeKind, TEXT_CHANNELS } from '@rmeet/contract';
import type { MeetingSnapshot } from '../changes/snapshot.ts';

/** The text of a notice, with or without its fields filled in. */
export interface NoticeWords {
  /** Of mails only. */
  subject: string;
  text: string;
}

/** What the fields of a text are filled from. */
export interface NoticeContext {
  snapshot: MeetingSnapshot;
  password: string;
  kind: NoticeKind;
  /** The reader's name; empty for an outside mail address. */
  name: string;
  locale: Locale;
  channel: (typeof TEXT_CHANNELS)[number];
  /** The server's public address, for links; null while it is unknown. */
  publicUrl: string | null;
}
