import type { Locale, Measure, QualityCause } from '@rmeet/contract';
import type { Bilingual } from '../../platform/export/index.ts';

/** The measures as reports and exported lists call them. */
export const MEASURE_WORDS: Record<Measure, Bilingual> = {
  booked: { zh: '预约会议', en: 'Booked meetings' },
  cancelled: { zh: '取消会议', en: 'Cancelled meetings' },
  meetings: { zh: '召开会议', en: 'Meetings held' },
  minutes: { zh: '会议时长（分钟）', en: 'Meeting minutes' },
  people: { zh: '参会人数', en: 'Participants' },
  terminals: { zh: '接入终端', en: 'Terminals' },
  terminalMinutes: { zh: '终端时长（分钟）', en: 'Terminal minutes' },
  peak: { zh: '单场最多终端', en: 'Most terminals in a meeting' },
  calls: { zh: '呼叫', en: 'Calls' },
  declined: { zh: '拒接', en: 'Declined calls' },
  recordings: { zh: '录制', en: 'Recordings' },
  recordedMinutes: { zh: '录制时长（分钟）', en: 'Recorded minutes' },
  recordedBytes: { zh: '录制大小（字节）', en: 'Recorded bytes' },
  broadcasts: { zh: '直播', en: 'Live broadcasts' },
  viewers: { zh: '直播观看人次', en: 'Views of broadcasts' },
  watchedMinutes: { zh: '观看时长（分钟）', en: 'Watched minutes' },
  rooms: { zh: '使用的会议室', en: 'Rooms in use' },
  roomBookings: { zh: '会议室预订', en: 'Room bookings' },
  roomMinutes: { zh: '会议室时长（分钟）', en: 'Room minutes' },
  resourceBookings: { zh: '会议资源使用', en: 'Uses of media resources' },
  portMinutes: { zh: '端口时长（分钟）', en: 'Port minutes' },
  goodMinutes: { zh: '质量良好（分钟）', en: 'Minutes of good quality' },
  fairMinutes: { zh: '质量一般（分钟）', en: 'Minutes of fair quality' },
  badMinutes: { zh: '质量差（分钟）', en: 'Minutes of bad quality' },
  signIns: { zh: '登录次数', en: 'Sign-ins' },
  storageBytes: { zh: '占用存储（字节）', en: 'Stored bytes' },
};

export const CAUSE_WORDS: Record<QualityCause, Bilingual> = {
  loss: { zh: '丢包', en: 'Packet loss' },
  delay: { zh: '延迟', en: 'Long delay' },
  other: { zh: '抖动或断线', en: 'Jitter or lost connection' },
  none: { zh: '无', en: 'None' },
};

export const TYPE_WORDS: Record<string, Bilingual> = {
  VIDEO_MEETING: { zh: '视频会议', en: 'Video meeting' },
  NETWORK_MEETING: { zh: '网络会议', en: 'Network meeting' },
  LIVE_MEETING: { zh: '直播会议', en: 'Live meeting' },
  PHONE_MEETING: { zh: '电话会议', en: 'Telephone meeting' },
  LOCAL_MEETING: { zh: '本地会议', en: 'Local meeting' },
};

const REPORT = {
  title: { zh: '会议统计报告', en: 'Meeting statistics' },
  platform: { zh: '所有租户', en: 'All tenants' },
  figures: { zh: '主要指标', en: 'Key figures' },
  measure: { zh: '指标', en: 'Measure' },
  now: { zh: '本期', en: 'This period' },
  before: { zh: '上期', en: 'Period before' },
  change: { zh: '变化', en: 'Change' },
  byTime: { zh: '召开会议', en: 'Meetings held' },
  department: { zh: '按部门', en: 'By department' },
  noDepartment: { zh: '（未设部门）', en: '(no department)' },
  type: { zh: '按会议类型', en: 'By type' },
  room: { zh: '会议室', en: 'Meeting rooms' },
  cause: { zh: '质量差的原因', en: 'Causes of bad quality' },
  none: { zh: '本期没有数据', en: 'Nothing in this period' },
  name: { zh: '名称', en: 'Name' },
  unknown: { zh: '-', en: '-' },
  day: { zh: '日期', en: 'Date' },
} as const satisfies Record<string, Bilingual>;

export const reportWord = (name: keyof typeof REPORT, locale: Locale): string => REPORT[name][locale];

export const REPORT_MAIL: Record<
  Locale,
  { subject: (words: MailWords) => string; text: (words: MailWords) => string }
> = {
  zh: {
    subject: ({ owner, month }) => `${owner} ${month} 会议统计报告`,
    text: ({ owner, month, lines }) =>
      `您好：\n\n附件是 ${owner} ${month} 的会议统计报告。\n\n${lines.join('\n')}\n\n收件人由管理员在“统计”页面中设置。`,
  },
  en: {
    subject: ({ owner, month }) => `Meeting statistics of ${owner}, ${month}`,
    text: ({ owner, month, lines }) =>
      `Hello,\n\nthe meeting statistics of ${owner} for ${month} are attached.\n\n${lines.join('\n')}\n\n` +
      `An administrator chose the recipients on the page "Statistics".`,
  },
};

interface MailWords {
  owner: string;
  /** `2026-11` */
  month: string;
  /** The most important figures. */
  lines: string[];
}
