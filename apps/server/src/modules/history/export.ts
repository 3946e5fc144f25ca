import type { Attendance, HeldRecord, Locale } from '@rmeet/contract';
import { sheetsAnswer, type Bilingual, type Cell } from '../../platform/export/index.ts';
import type { FileAnswer } from '../../platform/http/index.ts';
import type { Proceeding } from './proceedings.ts';

type Words<K extends string> = Record<K, Bilingual>;

const TYPES: Words<HeldRecord['type']> = {
  VIDEO_MEETING: { zh: '视频会议', en: 'Video meeting' },
  NETWORK_MEETING: { zh: '网络会议', en: 'Network meeting' },
  LIVE_MEETING: { zh: '直播会议', en: 'Live broadcast' },
  PHONE_MEETING: { zh: '电话会议', en: 'Telephone meeting' },
  LOCAL_MEETING: { zh: '本地会议', en: 'Local meeting' },
};
const ENDS: Words<'ended' | 'empty' | 'running'> = {
  ended: { zh: '会议结束', en: 'Ended' },
  empty: { zh: '无人自动关闭', en: 'Closed when empty' },
  running: { zh: '进行中', en: 'Running' },
};
const ROLES: Words<Attendance['role']> = {
  host: { zh: '主持人', en: 'Host' },
  member: { zh: '成员', en: 'Member' },
  guest: { zh: '访客', en: 'Guest' },
};
const SCORES: Words<'good' | 'fair' | 'poor'> = {
  good: { zh: '良好', en: 'Good' },
  fair: { zh: '一般', en: 'Fair' },
  poor: { zh: '较差', en: 'Poor' },
};
const STAY_ENDS: Words<'left' | 'lost' | 'removed' | 'sentBack' | 'ended'> = {
  left: { zh: '主动离开', en: 'Left' },
  lost: { zh: '连接中断', en: 'Connection lost' },
  removed: { zh: '被移出', en: 'Removed' },
  sentBack: { zh: '移回等候室', en: 'Sent back to wait' },
  ended: { zh: '会议结束', en: 'Meeting ended' },
};
const KINDS: Words<Proceeding['kind']> = {
  floor: { zh: '发言', en: 'Floor' },
  rollCall: { zh: '点名', en: 'Roll call' },
  vote: { zh: '投票', en: 'Vote' },
};
const MARKS: Words<'present' | 'absent' | 'none'> = {
  present: { zh: '到场', en: 'Present' },
  absent: { zh: '缺席', en: 'Absent' },
  none: { zh: '未标记', en: 'Not marked' },
};
const WAITED: Bilingual = { zh: '仅在等候室，未入会', en: 'Only waited, was not let in' };

type Column = Bilingual & { width: number };
const column = (zh: string, en: string, width: number): Column => ({ zh, en, width });

const dateOf = (time: string | null): Date | null => (time === null ? null : new Date(time));
/** Seconds as minutes with one decimal. */
const minutesOf = (seconds: number | null): number | null => (seconds === null ? null : Math.round(seconds / 6) / 10);
/** A round figure: loss in percent or a round trip in ms. */
const averageOf = (span: { average: number } | null | undefined): number | null =>
  span ? Math.round(span.average * 10) / 10 : null;

function factsOf(record: HeldRecord, locale: Locale): Cell[][] {
  const end = record.endReason ?? 'running';
  const facts: [Bilingual, Cell][] = [
    [{ zh: '会议名称', en: 'Subject' }, record.subject],
    [{ zh: '会议类型', en: 'Type' }, TYPES[record.type][locale]],
    [{ zh: '会议号', en: 'Number' }, record.numericId],
    [{ zh: '主持人', en: 'Host' }, record.host.name],
    [{ zh: '预约开始时间（UTC）', en: 'Booked start (UTC)' }, dateOf(record.bookedStart)],
    [{ zh: '预约时长（分钟）', en: 'Booked length (min)' }, record.bookedMinutes],
    [{ zh: '开始时间（UTC）', en: 'Start (UTC)' }, dateOf(record.startedAt)],
    [{ zh: '结束时间（UTC）', en: 'End (UTC)' }, dateOf(record.endedAt)],
    [{ zh: '实际时长（分钟）', en: 'Length (min)' }, minutesOf(record.duration)],
    [{ zh: '参会人数', en: 'People' }, record.people],
    [{ zh: '最多同时参会终端', en: 'Most terminals at once' }, record.peakTerminals],
    [{ zh: '结束方式', en: 'How it ended' }, ENDS[end][locale]],
  ];
  return facts.map(([label, value]) => [label[locale], value]);
}

const PEOPLE = [
  column('姓名', 'Name', 24),
  column('身份', 'Part', 12),
  column('首次入会（UTC）', 'First joined (UTC)', 20),
  column('最后离会（UTC）', 'Last left (UTC)', 20),
  column('在会时长（分钟）', 'Time inside (min)', 16),
  column('入会次数', 'Stays', 10),
  column('通话质量', 'Call quality', 12),
  column('平均丢包（%）', 'Average loss (%)', 16),
  column('平均延迟（毫秒）', 'Average round trip (ms)', 22),
  column('备注', 'Note', 28),
];

function personOf(person: Attendance, locale: Locale): Cell[] {
  const { quality } = person;
  return [
    person.name,
    ROLES[person.role][locale],
    dateOf(person.firstJoin),
    dateOf(person.lastLeave),
    minutesOf(person.total),
    person.total === null ? null : person.stays.length,
    quality ? SCORES[quality.score][locale] : '',
    averageOf(quality?.loss),
    averageOf(quality?.roundTrip),
    person.waitedOnly ? WAITED[locale] : '',
  ];
}

const STAYS = [
  column('姓名', 'Name', 24),
  column('入会时间（UTC）', 'Joined (UTC)', 20),
  column('离会时间（UTC）', 'Left (UTC)', 20),
  column('离会方式', 'How it ended', 18),
  column('设备类型', 'Device type', 12),
];

const staysOf = ({ attendance }: HeldRecord, locale: Locale): Cell[][] =>
  attendance.flatMap(({ name, stays }) =>
    stays.map(({ joinedAt, leftAt, end, deviceType }) => [
      name,
      dateOf(joinedAt),
      dateOf(leftAt),
      end === null ? '' : STAY_ENDS[end][locale],
      deviceType,
    ]),
  );

const ITEMS = [
  column('时间（UTC）', 'Time (UTC)', 20),
  column('类型', 'Kind', 12),
  column('内容', 'Subject', 40),
  column('结果', 'Result', 28),
  column('票数', 'Votes', 10),
];

function itemOf(item: Proceeding, locale: Locale): Cell[] {
  const kind = KINDS[item.kind][locale];
  if (item.kind === 'vote') return [item.at, kind, item.question, item.option, item.count];
  if (item.kind === 'rollCall') return [item.at, kind, item.name, MARKS[item.mark ?? 'none'][locale], null];
  const seconds = item.seconds === null ? '' : { zh: `${item.seconds} 秒`, en: `${item.seconds} s` }[locale];
  return [item.at, kind, item.name, seconds, null];
}

const RECORDINGS = [
  column('录制', 'Recording', 40),
  column('开始时间（UTC）', 'Start (UTC)', 20),
  column('时长（分钟）', 'Length (min)', 14),
];

interface ExportedRecord {
  record: HeldRecord;
  /** Null for a reader who may not see everything: the sheet is missing then. */
  proceedings: readonly Proceeding[] | null;
  locale: Locale;
  /** The request's signal. */
  signal: AbortSignal;
}

/** The record of a held conference as an Excel workbook in the reader's language: what the page shows, as sheets. */
export function exportAnswer({ record, proceedings, locale, signal }: ExportedRecord): FileAnswer {
  const sheet = (title: Bilingual, columns: readonly Column[], rows: readonly Cell[][]) => ({
    title: title[locale],
    columns: columns.map((one) => ({ header: one[locale], width: one.width })),
    rows,
  });
  const recordings = record.recordings.map(({ name, startedAt, duration }) => [
    name,
    dateOf(startedAt),
    minutesOf(duration),
  ]);
  return sheetsAnswer({
    name: `${record.subject.replace(/[/\\]/g, '-')} ${record.startedAt.slice(0, 10)}.xlsx`,
    signal,
    sheets: [
      sheet(
        { zh: '会议信息', en: 'Meeting' },
        [column('项目', 'Fact', 26), column('内容', 'Value', 44)],
        factsOf(record, locale),
      ),
      sheet(
        { zh: '参会人', en: 'Participants' },
        PEOPLE,
        record.attendance.map((person) => personOf(person, locale)),
      ),
      sheet({ zh: '入会明细', en: 'Stays' }, STAYS, staysOf(record, locale)),
      ...(proceedings
        ? [
            sheet(
              { zh: '议事', en: 'Proceedings' },
              ITEMS,
              proceedings.map((item) => itemOf(item, locale)),
            ),
          ]
        : []),
      sheet({ zh: '会议录制', en: 'Recordings' }, RECORDINGS, recordings),
    ],
  });
}
