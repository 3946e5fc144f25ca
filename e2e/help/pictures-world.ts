import { writeDocument, type DocumentNode } from '@rmeet/documents';
import { openWriter, type Api, type RunningServer } from '@rmeet/testkit';
import { newTenant, newUser } from '../auth/support.ts';
import { signInProven } from '../admin-pages.ts';
import { bookMeeting } from '../support.ts';
import { store } from '../recordings/support.ts';
import { uploadText } from './support.ts';

export type PictureLocale = 'zh-CN' | 'en-US';
type Administrator = Awaited<ReturnType<Api['as']>>;

/** What the pictures of the manual show, in each language. */
const TEXTS = {
  'zh-CN': {
    tenant: '仁和医院',
    admin: '李静',
    people: ['王磊', '陈晓', '周敏', '赵强', '孙悦'],
    departments: ['仁和医院/内科', '仁和医院/外科', '仁和医院/信息科'],
    meetings: ['早交班', '病例讨论', '药事委员会', '新员工培训'],
    building: '门诊楼',
    rooms: ['201 会议室', '202 会议室', '报告厅'],
    files: { '议程.txt': '一、上周进展', '排班表.txt': '周一 王磊', '会议须知.txt': '请准时入会' },
    folder: '参考资料',
    documents: ['药事委员会纪要', '早交班记录', '培训通知'],
    lines: ['决议', '下周一起试用新的排班表。', '信息科本周五前完成设备检查。'],
    announcements: [
      ['周六停水通知', '周六 **8:00 至 12:00** 门诊楼停水。'],
      ['会议室预约新规', '请提前一天预约报告厅。'],
    ],
    apps: ['值班表', '知识库', '邮箱'],
    guests: ['陈晓', '周敏'],
  },
  'en-US': {
    tenant: 'Riverside Hospital',
    admin: 'Grace Lee',
    people: ['Tom Baker', 'Ann Miller', 'Ravi Patel', 'Lena Fox', 'Omar Haddad'],
    departments: ['Riverside/Medicine', 'Riverside/Surgery', 'Riverside/IT'],
    meetings: ['Morning handover', 'Case discussion', 'Drug committee', 'Induction of new staff'],
    building: 'Main building',
    rooms: ['Room 201', 'Room 202', 'Lecture hall'],
    files: { 'Agenda.txt': '1. Last week', 'Rota.txt': 'Monday: Tom', 'House rules.txt': 'Please be on time' },
    folder: 'References',
    documents: ['Minutes of the drug committee', 'Handover notes', 'Training notice'],
    lines: ['Decisions', 'The new rota is on trial from Monday.', 'IT checks all devices by Friday.'],
    announcements: [
      ['No water on Saturday', 'No water in the main building from **8:00 to 12:00** on Saturday.'],
      ['New rules for rooms', 'Please book the lecture hall a day ahead.'],
    ],
    apps: ['Rota', 'Knowledge base', 'Mail'],
    guests: ['Ann', 'Ravi'],
  },
} as const;

/** An organisation with what the pictures show. */
export interface PictureWorld {
  /** Its administrator's account. */
  account: string;
  /** A colleague's account, who is invited to all meetings. */
  colleague: string;
  admin: Administrator;
  meetId: string;
  documentId: string;
  recordingId: string;
  guests: readonly string[];
}

async function addPeople(server: RunningServer, admin: Api, account: string, locale: PictureLocale): Promise<string> {
  const { people, departments } = TEXTS[locale];
  const colleague = `${account}-2`;
  await newUser(server, colleague, undefined, account);
  for (const [at, name] of people.entries()) {
    const department = departments[at % departments.length] ?? '';
    await admin.users.create({ body: { account: `${account}-p${at}`, name, department } });
  }
  const { records } = await admin.users.list({ query: { size: 50 } });
  const [self, other] = [account, colleague].map((one) => records.find((row) => row.account === one));
  if (self) await admin.users.update({ body: { ...self, name: TEXTS[locale].admin } });
  if (other) await admin.users.update({ body: { ...other, name: TEXTS[locale].guests[0] } });
  return colleague;
}

async function addRooms(admin: Api, locale: PictureLocale): Promise<void> {
  const { building, rooms } = TEXTS[locale];
  const { id } = await admin.rooms.createBuilding({ body: { name: building, timeZone: 'UTC' } });
  for (const [at, name] of rooms.entries())
    await admin.rooms.create({ body: { name, buildingId: id, floor: String(at + 1), capacity: 8 * (at + 1) } });
}

async function addFiles(
  server: RunningServer,
  admin: Administrator,
  meetId: string,
  locale: PictureLocale,
): Promise<void> {
  const { folder, files } = TEXTS[locale];
  await admin.meetingFiles.createFolder({ body: { meetId, name: folder } });
  for (const [name, content] of Object.entries(files)) await uploadText(server, admin, meetId, name, content);
}

async function addDocuments(server: RunningServer, admin: Administrator, locale: PictureLocale): Promise<string> {
  const [heading = '', ...lines] = TEXTS[locale].lines;
  const ids: string[] = [];
  for (const title of TEXTS[locale].documents)
    ids.push((await admin.documents.create({ body: { kind: 'minutes', title } })).id);
  const [id = ''] = ids;
  const writer = openWriter({ origin: server.url, token: admin.token, documentId: id });
  await writer.until(({ phase }) => phase === 'open');
  const textOf = (text: string): DocumentNode[] => [{ type: 'text', text }];
  writeDocument(writer.doc, {
    type: 'doc',
    content: [
      { type: 'heading', attrs: { level: 1 }, content: textOf(heading) },
      ...lines.map((line): DocumentNode => ({ type: 'paragraph', content: textOf(line) })),
    ],
  });
  await writer.until(({ isSaved }) => isSaved);
  writer.close();
  return id;
}

async function addNews(admin: Api, locale: PictureLocale): Promise<void> {
  const { announcements, apps } = TEXTS[locale];
  for (const [title, body] of announcements) {
    const { id, version } = await admin.announcements.create({ body: { title, body, aimedAt: { wholeTenant: true } } });
    await admin.announcements.publish({ params: { id }, body: { version } });
  }
  const icons = ['people', 'book', 'mail'] as const;
  for (const [at, name] of apps.entries()) {
    const icon = icons[at] ?? 'link';
    await admin.startApps.create({ body: { name, icon, url: 'https://example.org/', roleIds: [] } });
  }
}

/** Meetings that were held, so that history and statistics have something to show. */
async function hold(server: RunningServer, admin: Api, subjects: readonly string[]): Promise<void> {
  for (const subject of subjects) {
    const { numericId, meetId, password } = await bookMeeting(admin, subject);
    await admin.conferences.join({ body: { numericId } });
    await server.api.conferences.join({ body: { numericId, password, name: 'Guest' } });
    await admin.conferences.end({ params: { meetId } });
  }
  const day = (offset: number): string => new Date(Date.now() + offset * 86_400_000).toISOString().slice(0, 10);
  await admin.statistics.recount({ body: { from: day(-1), to: day(1) } });
}

async function build(server: RunningServer, locale: PictureLocale): Promise<PictureWorld> {
  const account = `manual-${locale.slice(0, 2)}`;
  const { tenant, meetings, guests } = TEXTS[locale];
  await newTenant(server, tenant, account);
  await signInProven(server, account);
  const admin = await server.api.as(account);
  const colleague = await addPeople(server, admin, account, locale);
  await addRooms(admin, locale);
  await hold(server, admin, meetings.slice(0, 2));
  const { id: recordingId } = await store(server, { host: account, second: colleague, subject: meetings[2] });
  const { user } = await server.api.as(colleague);
  const participants = [{ kind: 'user' as const, userId: user.id }];
  const booked: string[] = [];
  for (const [at, subject] of meetings.entries())
    booked.push((await bookMeeting(admin, subject, { minutesFromNow: 30 + 90 * at, participants })).meetId);
  const [meetId = ''] = booked;
  await addFiles(server, admin, meetId, locale);
  const documentId = await addDocuments(server, admin, locale);
  await addNews(admin, locale);
  return { account, colleague, admin, meetId, documentId, recordingId, guests };
}

const built = new Map<string, Promise<PictureWorld>>();

/** The organisation of the pictures in a language; one on each server. */
export function pictureWorld(server: RunningServer, locale: PictureLocale): Promise<PictureWorld> {
  const key = `${server.url} ${locale}`;
  const known = built.get(key) ?? build(server, locale);
  built.set(key, known);
  return known;
}
