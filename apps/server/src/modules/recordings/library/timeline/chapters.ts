import type { ConferenceCommand } from '@rmeet/conference';
import type { RecordingIndex, RecordingTimeline } from '@rmeet/contract';
import type { ControlLog } from './log.ts';

type Chapter = RecordingTimeline['chapters'][number];

/** Ms that a person must be on air to begin a chapter. */
const SPEAKER_MS = 10_000;

/** The lines of an agenda without their numbering. */
function agendaItems(agenda: string): string[] {
  return agenda
    .split('\n')
    .map((line) => line.replace(/^\s*(?:[-*•]|\d+[.)、．]|[一二三四五六七八九十]+[、．.])\s*/, '').trim())
    .filter((line) => line !== '');
}

/** The item of the agenda that a text names: it contains it, or the other way round. */
function itemNamedBy(items: readonly string[], text: string): string | undefined {
  const named = text.trim().toLowerCase();
  if (named === '') return undefined;
  return items.find((item) => {
    const known = item.toLowerCase();
    return named.includes(known) || (named.length > 1 && known.includes(named));
  });
}

/** The chapter that a command begins. */
function chapterOf(command: ConferenceCommand, at: number, items: readonly string[]): Chapter | undefined {
  const begins = (kind: Chapter['kind'], text: string, termId: string | null = null): Chapter => ({
    at,
    kind,
    text,
    termId,
  });
  const topic = (text: string): Chapter | undefined => {
    const item = itemNamedBy(items, text);
    return item === undefined ? undefined : begins('topic', item);
  };
  switch (command.verb) {
    case 'scene':
      return topic(command.name) ?? begins('layout', command.name);
    case 'banner':
      return command.termId === null && command.banner ? topic(command.banner.text) : undefined;
    case 'layout':
      return begins('layout', command.model);
    case 'vote':
      return topic(command.question) ?? begins('vote', command.question);
    case 'rollCall':
      return begins('rollCall', '');
    default:
      return undefined;
  }
}

/** Shared screens, and people who were on air long enough. */
function pictureChapters({ onAir }: RecordingIndex, end: number, nameOf: (termId: string) => string): Chapter[] {
  return onAir.flatMap(({ at, picture }, n): Chapter[] => {
    if (!picture) return [];
    const { termId, kind } = picture;
    if (kind === 'screen') return [{ at, kind: 'share', text: nameOf(termId), termId }];
    const until = onAir[n + 1]?.at ?? end;
    return until - at >= SPEAKER_MS ? [{ at, kind: 'speaker', text: nameOf(termId), termId }] : [];
  });
}

/**
 * The chapters of a recording. The lines of an agenda have no times: one becomes a chapter where a scene, captions or a
 * vote name it.
 */
export function chaptersOf(
  { commands }: ControlLog,
  index: RecordingIndex,
  { agenda, end, nameOf }: { agenda: string; end: number; nameOf: (termId: string) => string },
): Chapter[] {
  const items = agendaItems(agenda);
  const byCommand = commands.flatMap(({ command, at }) => chapterOf(command, at, items) ?? []);
  const all = [...byCommand, ...pictureChapters(index, end, nameOf)].toSorted((a, b) => a.at - b.at);
  // The same item or person twice in a row is one chapter.
  return all.filter(({ kind, text, termId }, n) => {
    const before = all.slice(0, n).findLast((one) => one.kind === kind);
    return !(before?.text === text && before.termId === termId && (kind === 'topic' || kind === 'speaker'));
  });
}
