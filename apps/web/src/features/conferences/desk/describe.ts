import type { ConferenceBroadcast, RecordAction } from '@rmeet/conference';
import { ACK_FAILURES, CANNOT_REASONS, CANNOT_SENTENCES, type LoggedCommand } from '@rmeet/contract';
import { language } from '../../../lib/i18n/index.ts';
import type { CommandRequest } from '../shared/commands.ts';
import type { Diagnosis } from './model/diagnose.ts';
import type { NameOf } from './model/names.ts';
import { describeScreen, isScreenVerb } from './screen/describe.ts';
import { describeProceeding } from './proceedings/describe.ts';
import type { T } from './texts.tsx';

type Described = { verb: string } & Record<string, unknown>;

const LISTED = 2;
/** The zone of this server's own engine, which has no name of its own. */
const OWN_ZONE = 'local';

/** Names as text: two by name, the others as a number. */
function namesOf(ids: unknown, nameOf: NameOf, t: T): string {
  const termIds = Array.isArray(ids) ? (ids as string[]) : [ids as string];
  const names = termIds.slice(0, LISTED).map((termId) => nameOf(termId) ?? t('log.somebody'));
  const listed = names.join(t('log.comma'));
  return termIds.length > LISTED ? t('log.andOthers', { names: listed, count: termIds.length }) : listed;
}

/** A short text of what a command did. */
// oxlint-disable-next-line complexity, max-lines-per-function -- A table of sentences, one case per verb.
export function describe(command: CommandRequest | Described, nameOf: NameOf, t: T): string {
  const given = command as Described;
  const names = () => namesOf(given['termIds'] ?? given['targets'] ?? given['termId'], nameOf, t);
  if (isScreenVerb(given.verb)) return describeScreen(given, nameOf, t);
  switch (given.verb) {
    case 'mute':
      return given['muted'] === false || given['mute'] === false
        ? t('did.unmute', { names: names() })
        : t('did.mute', { names: names() });
    case 'muteAll':
      if (given['muted'] === false) return t('did.unmuteAll');
      return isSome(given['except'])
        ? t('did.muteAllBut', { names: namesOf(given['except'], nameOf, t) })
        : t('did.muteAll');
    case 'camera':
      return given['open'] === false ? t('did.cameraOff', { names: names() }) : t('did.cameraOn', { names: names() });
    case 'volume':
      return t('did.volume', { names: names(), volume: textOf(given['volume']) });
    case 'limitVideo':
      return given['maxHeight'] === null
        ? t('did.limitLifted', { names: names() })
        : t('did.limitVideo', { names: names(), height: textOf(given['maxHeight']) });
    case 'chairman':
      return given['termId'] === null || given['termId'] === ''
        ? t('did.chairTaken')
        : t('did.chairman', { names: names() });
    case 'coChairs':
      return given['appoint'] === false
        ? t('did.coChairOff', { names: names() })
        : t('did.coChair', { names: names() });
    case 'speaker':
      return given['termId'] === null || given['termId'] === ''
        ? t('did.speakerOff')
        : t('did.speaker', { names: names() });
    case 'mode':
      return t('did.mode', { mode: t(`mode.${given['mode'] as 'AUTO'}`) });
    case 'lock':
      return given['locked'] === false ? t('did.unlock') : t('did.lock');
    case 'rename':
      return t('did.rename', { name: textOf(given['name']) });
    case 'top':
      return given['top'] === false ? t('did.topOff', { names: names() }) : t('did.top', { names: names() });
    case 'remove':
      return given['canReturn'] === false
        ? t('did.removeForGood', { names: names() })
        : t('did.remove', { names: names() });
    case 'call':
      return isSome(given['targets']) && (given['targets'] as string[]).length <= LISTED
        ? t('did.call', { names: names() })
        : t('did.callAll');
    case 'cancelCall':
      return t('did.cancelCall', { names: names() });
    case 'invite':
      return t('did.invite', { names: ((given['names'] ?? []) as string[]).join(t('log.comma')) });
    case 'moveZone':
      return t('did.moveZone', { zone: given['zoneId'] === OWN_ZONE ? t('topology.own') : textOf(given['zoneId']) });
    case 'reset':
      return isSome(given['mcuIds']) || typeof given['mcuId'] === 'string'
        ? t('did.resetOn', { server: textOf(given['mcuId'] ?? (given['mcuIds'] as string[])[0]) })
        : t('did.reset');
    case 'extend':
      return t('did.extend', { minutes: textOf(given['minutes']) });
    case 'askUnmute':
    case 'admit':
    case 'refuse':
    case 'sendBack':
    case 'selfUnmute':
    case 'arrive':
    case 'depart':
      return t(`did.${given.verb}`, { names: names() });
    case 'record':
      return t(`recordLog.${given['action'] as RecordAction}`);
    case 'recordStatus':
      return t(`recordLog.${given['status'] as 'RECORDING'}`);
    case 'broadcast':
      return t(`broadcastLog.${(given['broadcast'] as ConferenceBroadcast | null)?.status ?? 'ended'}`);
    case 'entry':
    case 'allow':
    case 'sort':
    case 'grant':
    case 'end':
    case 'undo':
      return t(`did.${given.verb}`);
    default:
      return describeProceeding(given, nameOf, t);
  }
}

/** The values of a command other than ids: numbers and names. */
const textOf = (value: unknown): string =>
  typeof value === 'number' || typeof value === 'string' ? String(value) : '';

const isSome = (list: unknown): boolean => Array.isArray(list) && list.length > 0;

/** A row of the log as text. Until its input has arrived, its changes show which terminals it concerns. */
export function describeLogged({ verb, input, changes }: LoggedCommand, nameOf: NameOf, t: T): string {
  const changed = [...new Set(changes.flatMap(({ termId }) => termId ?? []))];
  const after = Object.fromEntries(
    changes.map((change) => [change.field === 'mode' ? 'mode' : change.field, change.after]),
  );
  return describe(
    { ...(changed.length > 0 && input['termId'] === undefined ? { termIds: changed } : {}), ...after, ...input, verb },
    nameOf,
    t,
  );
}

export function cannotText(reason: string, t: T): string {
  const known = CANNOT_REASONS.find((each) => each === reason);
  return t('cannot.because', { reason: known === undefined ? reason : CANNOT_SENTENCES[known][language()] });
}

export function failureText(failed: string, t: T): string {
  return t(`failed.${ACK_FAILURES.find((each) => each === failed) ?? 'failed'}`);
}

/** Cause and remedy in one sentence. */
export function diagnosisText({ cause, value, remedy }: Diagnosis, name: string, t: T): string {
  const what = t(`cause.${cause}`, { name, value: value ?? 0 });
  return t('cause.sentence', {
    what,
    remedy:
      remedy === null
        ? t(`advice.${cause}`)
        : t(`remedy.${remedy.act}`, { height: remedy.act === 'limitVideo' ? remedy.maxHeight : 0 }),
  });
}

/** `1.7 Mbit/s`, `320 kbit/s`. */
export function bitrateText(bits: number | null): string {
  if (bits === null) return '–';
  return bits >= 1_000_000 ? `${(bits / 1_000_000).toFixed(1)} Mbit/s` : `${Math.round(bits / 1_000)} kbit/s`;
}
