import { createInstance } from 'i18next';
import { beforeAll, describe, expect, test } from 'vitest';
import en from '../src/features/meetings/locales/en.json' with { type: 'json' };
import zh from '../src/features/meetings/locales/zh.json' with { type: 'json' };
import { newRepeat, readRule, ruleOf, writeRule, type Repeat } from '../src/features/meetings/series/rule.ts';
import { ruleWords } from '../src/features/meetings/series/words.ts';

// A Tuesday evening in London, and a Wednesday in Shanghai: the 25th, the fourth one of its month.
const START = '2026-11-24T20:00:00.000Z';
const ZONE = 'Asia/Shanghai';
const repeat = (part: Partial<Repeat>): Repeat => ({ ...newRepeat('custom'), ...part });
const ruleText = (part: Partial<Repeat>, start = START) => {
  const rule = ruleOf(repeat(part), start, ZONE);
  return rule && writeRule(rule);
};

const texts = { zh: createInstance(), en: createInstance() };
beforeAll(async () => {
  const resources = { zh: { meetings: zh }, en: { meetings: en } };
  for (const [lng, one] of Object.entries(texts))
    await one.init({ lng, resources, defaultNS: 'meetings', interpolation: { escapeValue: false } });
});

describe('a rule', () => {
  test.each<[Partial<Repeat>, string | null]>([
    [{ choice: 'daily' }, 'FREQ=DAILY;COUNT=10'],
    [{ choice: 'weekdays', count: 5 }, 'FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR;COUNT=5'],
    // In the meeting's time zone it is Wednesday.
    [{ choice: 'weekly' }, 'FREQ=WEEKLY;BYDAY=WE;COUNT=10'],
    [{ choice: 'biweekly' }, 'FREQ=WEEKLY;INTERVAL=2;BYDAY=WE;COUNT=10'],
    [{ choice: 'monthlyDate' }, 'FREQ=MONTHLY;BYMONTHDAY=25;COUNT=10'],
    [{ choice: 'monthlyWeekday' }, 'FREQ=MONTHLY;BYDAY=4WE;COUNT=10'],
    [{ choice: 'yearly', count: 3 }, 'FREQ=YEARLY;COUNT=3'],
    [{ frequency: 'WEEKLY', interval: 3, days: [1, 5] }, 'FREQ=WEEKLY;INTERVAL=3;BYDAY=MO,FR;COUNT=10'],
    [{ frequency: 'WEEKLY' }, 'FREQ=WEEKLY;BYDAY=WE;COUNT=10'],
    [{ frequency: 'MONTHLY', monthlyBy: 'weekday', interval: 2 }, 'FREQ=MONTHLY;INTERVAL=2;BYDAY=4WE;COUNT=10'],
    // The last second of that day in the meeting's time zone.
    [{ choice: 'daily', end: 'until', until: '2026-12-24' }, 'FREQ=DAILY;UNTIL=20261224T155959Z'],
    [{ choice: 'daily', end: 'until' }, null],
    [{ choice: 'daily', count: null }, null],
    [{ interval: null }, null],
  ])('%o is %s', (part, text) => {
    expect(ruleText(part)).toBe(text);
  });

  test('uses the last weekday of a month for the fifth', () => {
    expect(ruleText({ choice: 'monthlyWeekday' }, '2026-12-30T02:00:00.000Z')).toBe('FREQ=MONTHLY;BYDAY=-1WE;COUNT=10');
  });

  test.each([
    'FREQ=DAILY;COUNT=3',
    'FREQ=WEEKLY;INTERVAL=2;BYDAY=MO,FR;UNTIL=20261224T155959Z',
    'FREQ=MONTHLY;BYDAY=-1WE;COUNT=3',
    'FREQ=MONTHLY;BYMONTHDAY=31;COUNT=3',
  ])('%s is read as it is written', (text) => {
    const rule = readRule(text);
    expect(rule && writeRule(rule)).toBe(text);
  });

  test('is not read if the form cannot show it', () => {
    expect(readRule('FREQ=MONTHLY;BYDAY=MO;BYSETPOS=2;COUNT=3')).toBeNull();
    expect(readRule('FREQ=HOURLY;COUNT=3')).toBeNull();
  });
});

test.each([
  ['FREQ=DAILY;COUNT=1', '每天 04:00（Asia/Shanghai），共 1 次', 'Every day at 04:00 (Asia/Shanghai), once'],
  [
    'FREQ=DAILY;INTERVAL=3;COUNT=4',
    '每 3 天 04:00（Asia/Shanghai），共 4 次',
    'Every 3 days at 04:00 (Asia/Shanghai), 4 times',
  ],
  [
    'FREQ=WEEKLY;BYDAY=FR,MO;COUNT=4',
    '每周一、周五 04:00（Asia/Shanghai），共 4 次',
    'Every week on Monday and Friday at 04:00 (Asia/Shanghai), 4 times',
  ],
  [
    'FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR;COUNT=4',
    '每个工作日（周一至周五） 04:00（Asia/Shanghai），共 4 次',
    'Every weekday (Monday to Friday) at 04:00 (Asia/Shanghai), 4 times',
  ],
  [
    'FREQ=MONTHLY;BYDAY=-1WE;COUNT=4',
    '每月最后一个周三 04:00（Asia/Shanghai），共 4 次',
    'Every month on the last Wednesday at 04:00 (Asia/Shanghai), 4 times',
  ],
  [
    'FREQ=MONTHLY;BYMONTHDAY=31;COUNT=4',
    '每月 31 日（没有 31 日的月份跳过） 04:00（Asia/Shanghai），共 4 次',
    'Every month on day 31 (months without a day 31 are skipped) at 04:00 (Asia/Shanghai), 4 times',
  ],
  [
    'FREQ=YEARLY;UNTIL=20281125T155959Z',
    '每年 11月25日 04:00（Asia/Shanghai），至 2028年11月25日周六 止',
    'Every year on November 25 at 04:00 (Asia/Shanghai), until Sat, Nov 25, 2028',
  ],
])('%s in words', (text, chinese, english) => {
  const rule = readRule(text);
  if (!rule) throw new Error('not read');
  const words = (language: 'zh' | 'en') =>
    ruleWords(rule, { startTime: START, timeZone: ZONE }, language, texts[language].getFixedT(language, 'meetings'));
  expect([words('zh'), words('en')]).toEqual([chinese, english]);
});
