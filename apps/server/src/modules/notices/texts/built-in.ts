import {
  isOfApproval,
  type InviteeNoticeKind,
  type Locale,
  type NoticeKind,
  type TEXT_CHANNELS,
} from '@rmeet/contract';
import { approvalTexts } from './built-in-approval.ts';
import type { NoticeWords } from './types.ts';

type TextChannel = (typeof TEXT_CHANNELS)[number];

const lines = (...text: string[]): string => text.join('\n');

const factsZh = lines(
  '时间：{time}',
  '时长：{duration}',
  '重复：{repeats}',
  '主持人：{host}',
  '会议室：{rooms}',
  '会议号：{number}',
  '会议密码：{password}',
  '',
  '加入会议：{link}',
  '',
  '议程：',
  '{agenda}',
);
const factsEn = lines(
  'When: {time}',
  'Duration: {duration}',
  'Repeats: {repeats}',
  'Host: {host}',
  'Rooms: {rooms}',
  'Meeting number: {number}',
  'Password: {password}',
  '',
  'Join: {link}',
  '',
  'Agenda:',
  '{agenda}',
);
const goneZh = lines('时间：{time}', '重复：{repeats}', '主持人：{host}', '会议号：{number}');
const goneEn = lines('When: {time}', 'Repeats: {repeats}', 'Host: {host}', 'Meeting number: {number}');

const mails: Record<Locale, Record<InviteeNoticeKind, NoticeWords>> = {
  zh: {
    invitation: {
      subject: '会议邀请：{subject}',
      text: lines('{name}，您好！', '', '{host} 邀请您参加会议「{subject}」。', '', factsZh),
    },
    change: {
      subject: '会议变更：{subject}',
      text: lines('{name}，您好！', '', '会议「{subject}」的安排有变更，最新信息如下。', '', factsZh),
    },
    cancellation: {
      subject: '会议取消：{subject}',
      text: lines('{name}，您好！', '', '会议「{subject}」已取消，或您不再需要参加。', '', goneZh),
    },
    reminder: {
      subject: '会议提醒：{subject}',
      text: lines('{name}，您好！', '', '会议「{subject}」即将开始。', '', factsZh),
    },
    roomReleased: {
      subject: '会议室已释放：{subject}',
      text: lines(
        '{name}，您好！',
        '',
        '会议「{subject}」预订的会议室因无人按时签到已被释放，现可由他人预订。如仍需使用，请重新预订。',
        '',
        factsZh,
      ),
    },
  },
  en: {
    invitation: {
      subject: 'Invitation: {subject}',
      text: lines('Dear {name},', '', '{host} invites you to the meeting "{subject}".', '', factsEn),
    },
    change: {
      subject: 'Changed: {subject}',
      text: lines('Dear {name},', '', 'The meeting "{subject}" has changed. This is how it stands now.', '', factsEn),
    },
    cancellation: {
      subject: 'Cancelled: {subject}',
      text: lines(
        'Dear {name},',
        '',
        'The meeting "{subject}" has been cancelled, or you need not attend any more.',
        '',
        goneEn,
      ),
    },
    reminder: {
      subject: 'Reminder: {subject}',
      text: lines('Dear {name},', '', 'The meeting "{subject}" is about to begin.', '', factsEn),
    },
    roomReleased: {
      subject: 'Room given up: {subject}',
      text: lines(
        'Dear {name},',
        '',
        'Nobody checked in to a room of the meeting "{subject}" in time, so ' +
          'others may book it now. Whoever still needs it has to book it again.',
        '',
        factsEn,
      ),
    },
  },
};

const short: Record<Locale, Record<InviteeNoticeKind, string>> = {
  zh: {
    invitation: lines(
      '【会议邀请】{host} 邀请您参加「{subject}」，{time}',
      '会议室 {rooms}',
      '会议号 {number}',
      '密码 {password}',
      '{link}',
    ),
    change: lines(
      '【会议变更】「{subject}」改为 {time}',
      '会议室 {rooms}',
      '会议号 {number}',
      '密码 {password}',
      '{link}',
    ),
    cancellation: '【会议取消】「{subject}」（{time}）已取消，或您不再需要参加',
    reminder: lines(
      '【会议提醒】「{subject}」即将开始，{time}',
      '会议室 {rooms}',
      '会议号 {number}',
      '密码 {password}',
      '{link}',
    ),
    roomReleased: lines('【会议室释放】「{subject}」（{time}）的会议室无人按时签到，已释放', '其余会议室 {rooms}'),
  },
  en: {
    invitation: lines(
      '{host} invites you: {subject}, {time}',
      'Room: {rooms}',
      'Number {number}',
      'Password {password}',
      '{link}',
    ),
    change: lines('Changed: {subject}, {time}', 'Room: {rooms}', 'Number {number}', 'Password {password}', '{link}'),
    cancellation: 'Cancelled, or without you: {subject}, {time}',
    reminder: lines('Reminder: {subject}, {time}', 'Room: {rooms}', 'Number {number}', 'Password {password}', '{link}'),
    roomReleased: lines('A room was given up, nobody checked in: {subject}, {time}', 'Room left: {rooms}'),
  },
};

/** The built-in text. */
export function builtIn(kind: NoticeKind, channel: TextChannel, locale: Locale): NoticeWords {
  if (isOfApproval(kind)) return approvalTexts[locale][kind];
  return channel === 'mail' ? mails[locale][kind] : { subject: '', text: short[locale][kind] };
}
