import type { BroadcastAction } from '@rmeet/contract';
import { useRef, useState, type ComponentType, type RefObject } from 'react';
import { PHONE, useMediaQuery } from '../../../../lib/useMediaQuery.ts';
import { LanguageSwitch } from '../../../../ui/LanguageSwitch.tsx';
import { Popover } from '../../../../ui/Popover.tsx';
import { ActionButton, AfterAction } from '../components/ActionButton.tsx';
import { useDesk, useDeskPart, useRights } from '../context.ts';
import { useT } from '../texts.tsx';
import { BroadcastButton, BroadcastPauseButton, useBroadcastActions } from './broadcast.tsx';
import {
  AdmitAll,
  CallAll,
  CaptionsButton,
  ContentButton,
  EndForAll,
  EntryButton,
  ExtendButton,
  LayoutButton,
  Lock,
  Modes,
  MuteAll,
  PollingButton,
  ScenesButton,
  SpeakerOff,
  UnmuteAll,
} from './buttons.tsx';
import { DeskTools } from './DeskTools.tsx';
import { PauseButton, RecordButton } from './recording.tsx';
import { OpenPanel } from './OpenPanel.tsx';
import { MORE, useFitting } from './useFitting.ts';
import './bar.css';

type Group = 'sound' | 'doors' | 'onAir' | 'screen' | 'proceed' | 'record' | 'live' | 'time';

interface Action {
  key: string;
  group: Group;
  /** The verb that it requires, or the actions of a live broadcast. */
  needs: string | readonly BroadcastAction[];
  Control: ComponentType;
}

/** In the order in which they are shown. */
const ACTIONS: readonly Action[] = [
  { key: 'muteAll', group: 'sound', needs: 'muteAll', Control: MuteAll },
  { key: 'unmuteAll', group: 'sound', needs: 'muteAll', Control: UnmuteAll },
  { key: 'admitAll', group: 'doors', needs: 'admit', Control: AdmitAll },
  { key: 'lock', group: 'doors', needs: 'lock', Control: Lock },
  { key: 'entry', group: 'doors', needs: 'entry', Control: EntryButton },
  { key: 'callAll', group: 'doors', needs: 'call', Control: CallAll },
  { key: 'modes', group: 'onAir', needs: 'mode', Control: Modes },
  { key: 'speakerOff', group: 'onAir', needs: 'speaker', Control: SpeakerOff },
  { key: 'layout', group: 'screen', needs: 'layout', Control: LayoutButton },
  { key: 'content', group: 'screen', needs: 'contentLock', Control: ContentButton },
  { key: 'captions', group: 'screen', needs: 'banner', Control: CaptionsButton },
  { key: 'polling', group: 'proceed', needs: 'polling', Control: PollingButton },
  { key: 'scenes', group: 'proceed', needs: 'scene', Control: ScenesButton },
  { key: 'record', group: 'record', needs: 'record', Control: RecordButton },
  { key: 'recordPause', group: 'record', needs: 'record', Control: PauseButton },
  { key: 'live', group: 'live', needs: ['START', 'END'], Control: BroadcastButton },
  { key: 'livePause', group: 'live', needs: ['PAUSE', 'RESUME'], Control: BroadcastPauseButton },
  { key: 'extend', group: 'time', needs: 'extend', Control: ExtendButton },
  { key: 'end', group: 'time', needs: 'end', Control: EndForAll },
];

/** The most important first: the last ones leave the bar first. */
const IMPORTANCE = [
  'muteAll',
  'admitAll',
  'end',
  'lock',
  'layout',
  'modes',
  'live',
  'livePause',
  'polling',
  'captions',
  'scenes',
  'extend',
  'unmuteAll',
  'record',
  'recordPause',
  'speakerOff',
  'entry',
  'content',
  'callAll',
] as const;

/** What a phone shows beside the menu: ending the conference is not a slip of the thumb away. */
const ON_PHONE: ReadonlySet<string> = new Set(['muteAll', 'admitAll', 'lock', 'layout']);

/** The actions a chair needs under pressure: one row, always in the same place; what does not fit is in a menu. */
export function ActionBar() {
  const t = useT();
  const rights = useRights();
  const bar = useRef<HTMLElement>(null);
  const isPhone = useMediaQuery(PHONE);
  const live = useBroadcastActions();
  const allowed = ACTIONS.filter(({ needs }) =>
    typeof needs === 'string' ? rights.may(needs) : needs.some((action) => live.includes(action)),
  );
  const fit = useFitting(bar, allowed, IMPORTANCE);
  const shown = isPhone ? allowed.filter(({ key }) => ON_PHONE.has(key)) : fit.shown;
  const rest = allowed.filter((action) => !shown.includes(action));
  const hasMenu = isPhone || rest.length > 0 || !fit.isMeasured;
  const [last, first] = [shown.filter(({ group }) => group === 'time'), shown.filter(({ group }) => group !== 'time')];
  return (
    <section ref={bar} className="desk-acts" aria-label={t('acts.title')} data-testid="desk-acts">
      <WaitingAnnouncement />
      <Groups actions={first} />
      {hasMenu && <MoreActions rest={rest} withTools={isPhone} bar={bar} />}
      <Groups actions={last} />
      <OpenPanel bar={bar} />
    </section>
  );
}

function WaitingAnnouncement() {
  const t = useT();
  const count = useDeskPart(({ state }) => state.waiting.length);
  const mayAdmit = useRights().may('admit');
  return (
    <span className="visually-hidden" role="status">
      {count === 0 || !mayAdmit ? '' : t('acts.waitingNow', { count })}
    </span>
  );
}

/** Actions by their groups. */
function Groups({ actions }: { actions: readonly Action[] }) {
  const t = useT();
  const groups = [...new Set(actions.map(({ group }) => group))];
  return groups.map((group) => (
    <div key={group} className={`desk-act-group desk-act-${group}`} role="group" aria-label={t(`bar.group.${group}`)}>
      {actions
        .filter((action) => action.group === group)
        .map(({ key, Control }) => (
          <span key={key} className="desk-act-item" data-item={key}>
            <Control />
          </span>
        ))}
    </div>
  ));
}

interface MoreActionsProps {
  rest: readonly Action[];
  /** The tools of the header, too. */
  withTools: boolean;
  bar: RefObject<HTMLElement | null>;
}

/** The menu with what does not fit. It closes when one of them was chosen. */
function MoreActions({ rest, withTools, bar }: MoreActionsProps) {
  const t = useT();
  const desk = useDesk();
  const [isOpen, setOpen] = useState(false);
  const button = () => bar.current?.querySelector<HTMLElement>('[data-testid="desk-more-acts"]') ?? null;
  return (
    <span className="desk-act-item desk-act-more" data-item={MORE}>
      <ActionButton
        icon="more"
        label={t('bar.more')}
        aria-haspopup="dialog"
        aria-expanded={isOpen}
        data-testid="desk-more-acts"
        onAction={() => {
          desk.view.set({ panel: null });
          setOpen(!isOpen);
        }}
      />
      {isOpen && (
        <Popover label={t('bar.more')} anchor={button} onClose={() => setOpen(false)} testId="desk-more-menu">
          <div className="desk-more">
            <AfterAction value={() => setOpen(false)}>
              <Groups actions={rest} />
              {withTools && (
                <div className="desk-act-group" role="group" aria-label={t('bar.tools')}>
                  <DeskTools />
                  <LanguageSwitch />
                </div>
              )}
            </AfterAction>
          </div>
        </Popover>
      )}
    </span>
  );
}
