import { z } from 'zod';
import { LOCALES, type Locale } from '@rmeet/contract';
import type { Db } from '../../../platform/db/index.ts';
import type { Attempt, Jobs } from '../../../platform/jobs/types.ts';
import type { Log } from '../../../platform/log/log.ts';
import { MailRefused, type Mail, type Message } from '../../../platform/mail/index.ts';
import type { SecretBox } from '../../../platform/secrets/index.ts';
import { findAccount } from '../../accounts/users/index.ts';
import { findMeeting, KEY_NOTE, linksOf, mailedLink, passwordOf } from '../../meetings/index.ts';
import { findConference } from '../repo.ts';
import { findCall, settleMail } from './repo.ts';
import { accountsIn, calledAs, type Rings } from './rings.ts';

const JOB = 'conferences-ring-mail';
/** Retries start soon, because the caller is waiting, and end after two minutes, when a mail is too late. */
const RETRIES = 7;
const RETRY_AFTER = 1;

/** The job's payload. Addresses and the password are looked up when the mail is written. */
const mailing = z.object({
  tenantId: z.uuid(),
  conferenceId: z.uuid(),
  targets: z.array(z.string()),
  from: z.string(),
  /** The caller's language, used for outside people. */
  locale: z.enum(LOCALES),
});
type Mailing = z.infer<typeof mailing>;

interface MailContent {
  from: string;
  subject: string;
  numericId: string;
  password: string;
  /** The link to join, or why there is none. */
  link: string;
  /** The host, who gives the key; empty unless the meeting is end-to-end encrypted. */
  keyFrom: string;
}

const spaced = (numericId: string): string => numericId.replace(/(\d{3})(?=\d)/g, '$1 ');

const texts: Record<Locale, (content: MailContent) => Omit<Message, 'to'>> = {
  zh: ({ from, subject, numericId, password, link, keyFrom }) => ({
    subject: `${from} 正在呼叫您参加会议：${subject}`,
    text: [
      `${from} 正在呼叫您参加会议「${subject}」，会议已经开始。`,
      '',
      `点击加入：${link}`,
      `会议号：${spaced(numericId)}`,
      ...(password === '' ? [] : [`会议密码：${password}`]),
      ...(keyFrom === '' ? [] : [KEY_NOTE.zh(keyFrom)]),
      ...(/^https?:/.test(link) ? ['', '如果链接无法点击，请复制到浏览器中打开。'] : []),
      '',
    ].join('\n'),
  }),
  en: ({ from, subject, numericId, password, link, keyFrom }) => ({
    subject: `${from} is calling you into the meeting: ${subject}`,
    text: [
      `${from} is calling you into the meeting "${subject}", which is on now.`,
      '',
      `Join: ${link}`,
      `Meeting number: ${spaced(numericId)}`,
      ...(password === '' ? [] : [`Password: ${password}`]),
      ...(keyFrom === '' ? [] : [KEY_NOTE.en(keyFrom)]),
      ...(/^https?:/.test(link) ? ['', 'If the link does not open, copy it into your browser.'] : []),
      '',
    ].join('\n'),
  }),
};

export interface RingMailDeps {
  db: Db;
  jobs: Jobs;
  mail: Mail;
  secrets: SecretBox;
  log: Log;
  rings: Rings;
  /** The server's public address, for links; null while it is unknown. */
  publicUrl: () => string | null;
}

/** Sends the mails of calls by a job, and declares that job. */
export function createRingMail({ db, jobs, mail, secrets, log, rings, publicUrl }: RingMailDeps) {
  /** The mail for a person; null if it is no longer needed. */
  function write({ tenantId, conferenceId, from, locale }: Mailing, target: string): Promise<Message | null> {
    return db.tenant(tenantId, async (tx) => {
      const conference = await findConference(tx, conferenceId);
      const meeting = conference && !conference.endedAt ? await findMeeting(tx, conference.meetingId) : undefined;
      const call = await findCall(tx, conferenceId, target);
      if (!meeting || call?.mail !== 'SENDING') return null;
      const invited = await calledAs(tx, meeting, call);
      const isThere = call.accountId !== null && (await accountsIn(tx, conferenceId)).has(call.accountId);
      if (!invited || isThere) return null;
      const { email, locale: language } =
        'account' in invited ? invited.account : { email: invited.participant.email ?? '', locale };
      const password = passwordOf(secrets, meeting);
      const link = mailedLink(publicUrl(), language, (origin) => linksOf(origin, meeting.number, password).config.url);
      const keyFrom = meeting.e2ee ? ((await findAccount(tx, meeting.hostId))?.name ?? '') : '';
      return {
        to: email,
        ...texts[language]({ from, subject: meeting.subject, numericId: meeting.number, password, link, keyFrom }),
      };
    });
  }

  async function note(
    { tenantId, conferenceId }: Mailing,
    target: string,
    outcome: 'SUCCESS' | 'FAIL' | 'none',
  ): Promise<void> {
    await db.tenant(tenantId, async (tx) => {
      const call = await settleMail(tx, conferenceId, target, outcome);
      const conference = call && (await findConference(tx, conferenceId));
      const meeting = conference && (await findMeeting(tx, conference.meetingId));
      const invited = meeting && (await calledAs(tx, meeting, call));
      if (invited) await rings.notifyDesks(tx, conference, [invited]);
    });
  }

  async function sendOne(job: Mailing, target: string, isLast: boolean): Promise<void> {
    const message = await write(job, target);
    if (!message) {
      await note(job, target, 'none');
      return;
    }
    try {
      await mail.send(message);
    } catch (error) {
      const isOver = isLast || error instanceof MailRefused;
      if (isOver) await note(job, target, 'FAIL');
      if (!(error instanceof MailRefused)) throw error;
      log.warn({ error, conferenceId: job.conferenceId }, 'A mail of a call was refused');
      return;
    }
    await note(job, target, 'SUCCESS');
  }

  /** Sends the mails that are not settled. If one fails temporarily, the job is retried. */
  async function run(job: Mailing, { isLast }: Attempt): Promise<void> {
    const results = await Promise.allSettled(job.targets.map((target) => sendOne(job, target, isLast)));
    const failed = results.find((result) => result.status === 'rejected');
    if (failed) throw failed.reason;
  }

  jobs.define(JOB, mailing, run, { retries: RETRIES, retryAfter: RETRY_AFTER });
  return { send: (job: Mailing): Promise<void> => jobs.send(undefined, JOB, job) };
}

export type RingMail = ReturnType<typeof createRingMail>;
