import { lengthWords, type Attendance, type HeldConference, type Stay, type StayQuality } from '@rmeet/contract';
import dayjs from 'dayjs';
import { language, type useTexts } from '../../lib/i18n/index.ts';
import { formatTime } from '../../lib/time.ts';

export type HistoryTexts = ReturnType<typeof useTexts<'history'>>;

/** A nine-digit number in groups of three, as it is read aloud. */
export const numberWords = (numericId: string): string => numericId.replace(/(\d{3})(?=\d)/g, '$1 ');

/** Seconds as text, in suitable precision. */
export function durationWords(seconds: number, t: HistoryTexts): string {
  if (seconds < 60) return t('seconds', { seconds });
  return lengthWords(Math.round(seconds / 60), language());
}

/** A time of day, with its day if the meeting began on a different one. */
export function clockWords(iso: string, startedAt: string): string {
  return dayjs(iso).isSame(startedAt, 'day') ? dayjs(iso).format('HH:mm:ss') : dayjs(iso).format('MM-DD HH:mm:ss');
}

/** The period in which it took place. */
export function heldWords(
  { startedAt, endedAt }: Pick<HeldConference, 'startedAt' | 'endedAt'>,
  t: HistoryTexts,
): string {
  const from = formatTime(startedAt);
  if (endedAt === null) return t('record.since', { from });
  return t('record.until', {
    from,
    to: dayjs(endedAt).isSame(startedAt, 'day') ? dayjs(endedAt).format('HH:mm') : formatTime(endedAt),
  });
}

const KNOWN_DEVICES = [
  '0',
  '1',
  '2',
  '3',
  '4',
  '5',
  '6',
  '7',
  '8',
  '9',
  '10',
  '20',
  '21',
  '22',
  '30',
  '32',
  '33',
] as const;
type KnownDevice = (typeof KNOWN_DEVICES)[number];

/** The device kind of a code. */
export function deviceWords(code: number, t: HistoryTexts): string {
  const known = KNOWN_DEVICES.find((one): one is KnownDevice => one === String(code));
  return t(`device.${known ?? 'other'}`);
}

/** One stay in a line: start, end, device, and how it ended. */
export function stayWords(stay: Stay, startedAt: string, t: HistoryTexts): string {
  const from = clockWords(stay.joinedAt, startedAt);
  const times =
    stay.leftAt === null
      ? t('stay.lasting', { from })
      : t('stay.line', { from, to: clockWords(stay.leftAt, startedAt) });
  return [times, deviceWords(stay.deviceType, t), ...(stay.end === null ? [] : [t(`stay.${stay.end}`)])].join(' · ');
}

const rateWords = (bits: number): string =>
  bits >= 1_000_000 ? `${(bits / 1_000_000).toFixed(1)} Mbit/s` : `${Math.round(bits / 1_000)} kbit/s`;

/** The most important averages, shown below the score. */
export function qualityWords({ loss, roundTrip }: StayQuality, t: HistoryTexts): string {
  return [
    ...(loss ? [t('quality.loss', { average: loss.average })] : []),
    ...(roundTrip ? [t('quality.roundTrip', { average: Math.round(roundTrip.average) })] : []),
  ].join(' · ');
}

/** All measured values, for a tooltip. */
export function measuredWords({ loss, roundTrip, bitrateUp, bitrateDown }: StayQuality, t: HistoryTexts): string {
  return [
    ...(loss && roundTrip
      ? [
          t('quality.details', {
            lossAverage: loss.average,
            lossMax: loss.max,
            tripAverage: Math.round(roundTrip.average),
            tripMax: Math.round(roundTrip.max),
          }),
        ]
      : []),
    ...(bitrateUp && bitrateDown
      ? [t('quality.rates', { up: rateWords(bitrateUp.average), down: rateWords(bitrateDown.average) })]
      : []),
  ].join('\n');
}

/** A name, marked if it is the user's own. */
export const personWords = ({ name, isMe }: Pick<Attendance, 'name' | 'isMe'>, t: HistoryTexts): string =>
  isMe ? `${name} (${t('person.me')})` : name;
