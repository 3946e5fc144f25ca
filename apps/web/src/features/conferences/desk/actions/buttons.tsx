import { CHOSEN_MODES, type ChosenMode } from '@rmeet/conference';
import { useId, type ReactNode } from 'react';
import { ask } from '../../../../lib/notify.ts';
import type { IconName } from '../../../../ui/icons.tsx';
import { ActionButton } from '../components/ActionButton.tsx';
import { useDesk, useDeskPart, useRights, useView, type PanelName } from '../context.ts';
import { absentees } from '../model/absent.ts';
import { useT } from '../texts.tsx';
import { preload } from './OpenPanel.tsx';

const MODE_ICONS: Record<ChosenMode, IconName> = { AUTO: 'speech', SPEAKER: 'air', EQUAL: 'equal' };

export function MuteAll() {
  const t = useT();
  const desk = useDesk();
  return (
    <ActionButton
      icon="micOff"
      label={t('acts.muteAll')}
      className="desk-act-strong"
      cannot={useRights().cannot('muteAll')}
      data-testid="desk-mute-all"
      onAction={() => void desk.act({ verb: 'muteAll', muted: true, except: [], allowSelfUnmute: null })}
    />
  );
}

export function UnmuteAll() {
  const t = useT();
  const desk = useDesk();
  return (
    <ActionButton
      icon="mic"
      label={t('acts.unmuteAll')}
      cannot={useRights().cannot('muteAll')}
      data-testid="desk-unmute-all"
      onAction={() => void desk.act({ verb: 'muteAll', muted: false, except: [], allowSelfUnmute: null })}
    />
  );
}

export function AdmitAll() {
  const t = useT();
  const desk = useDesk();
  const waiting = useDeskPart(({ state }) => state.waiting);
  return (
    <ActionButton
      icon="admit"
      label={t('acts.admitAll')}
      className={waiting.length > 0 ? 'desk-act-due' : ''}
      idle={waiting.length === 0 ? t('acts.nobodyWaits') : null}
      cannot={useRights().cannot('admit')}
      data-testid="desk-admit-all"
      onAction={() => void desk.act({ verb: 'admit', termIds: waiting.map(({ termId }) => termId) })}
    >
      {waiting.length > 0 && <span className="desk-count">{waiting.length}</span>}
    </ActionButton>
  );
}

/** The terminal put on air when the mode SPEAKER is chosen: the selected one, else the active speaker. */
function useCandidate(): string | null {
  const selected = useView(({ selection }) => (selection.ids.size === 1 ? ([...selection.ids][0] ?? null) : null));
  const speaking = useDeskPart(({ rows }) => rows.find((row) => row.speaking)?.termId ?? null);
  return selected ?? speaking;
}

export function Modes() {
  const t = useT();
  const desk = useDesk();
  const cannot = useRights().cannot('mode');
  const mode = useDeskPart(({ state }) => state.control.mode);
  const candidate = useCandidate();
  const choose = (next: ChosenMode) =>
    void desk.act({ verb: 'mode', mode: next, termId: next === 'SPEAKER' ? candidate : null });
  return (
    <div className="desk-modes">
      {CHOSEN_MODES.map((each) => (
        <ActionButton
          key={each}
          icon={MODE_ICONS[each]}
          label={t(`mode.${each}`)}
          aria-pressed={mode === each}
          cannot={cannot}
          idle={each === 'SPEAKER' && mode !== 'SPEAKER' && candidate === null ? t('mode.choose') : null}
          data-testid={`desk-mode-${each}`}
          onAction={() => {
            if (mode !== each) choose(each);
          }}
        />
      ))}
    </div>
  );
}

export function SpeakerOff() {
  const t = useT();
  const desk = useDesk();
  const onAir = useDeskPart(({ rows }) => rows.some((row) => row.onAir));
  return (
    <ActionButton
      icon="airOff"
      label={t('acts.speakerOff')}
      idle={onAir ? null : t('acts.nobodyOnAir')}
      cannot={useRights().cannot('speaker')}
      data-testid="desk-speaker-off"
      onAction={() => void desk.act({ verb: 'speaker', termId: null })}
    />
  );
}

export function Lock() {
  const t = useT();
  const desk = useDesk();
  const locked = useDeskPart(({ state }) => state.control.locked);
  return (
    <ActionButton
      icon={locked ? 'lock' : 'unlock'}
      label={t(locked ? 'acts.unlock' : 'acts.lock')}
      on={locked}
      cannot={useRights().cannot('lock')}
      data-testid="desk-lock"
      onAction={() => void desk.act({ verb: 'lock', locked: !locked })}
    />
  );
}

export function CallAll() {
  const t = useT();
  const desk = useDesk();
  const absent = useDeskPart(({ state }) => absentees(state).length);
  return (
    <ActionButton
      icon="call"
      label={t('acts.callAll')}
      idle={absent === 0 ? t('acts.nobodyAbsent') : null}
      cannot={useRights().cannot('call')}
      data-testid="desk-call-all"
      onAction={() => void desk.act({ verb: 'call', targets: [] })}
    >
      {absent > 0 && <span className="desk-count desk-count-quiet">{absent}</span>}
    </ActionButton>
  );
}

export function EndForAll() {
  const t = useT();
  const desk = useDesk();
  const end = async () => {
    const sure = await ask({
      title: t('end.title'),
      text: t('end.text'),
      okText: t('end.ok'),
      cancelText: t('cancel'),
      danger: true,
    });
    if (sure) await desk.act({ verb: 'end' });
  };
  return (
    <ActionButton
      icon="leave"
      label={t('acts.end')}
      className="desk-act-end"
      cannot={useRights().cannot('end')}
      data-testid="desk-end"
      onAction={() => void end()}
    />
  );
}

interface PanelButtonProps {
  panel: PanelName;
  icon: IconName;
  label: string;
  verb: string;
  /** What the panel controls is on, and what to say about it. */
  on?: string | null;
}

/** Opens and closes a panel. */
function PanelButton({ panel, icon, label, verb, on = null }: PanelButtonProps) {
  const desk = useDesk();
  const isOpen = useView((view) => view.panel === panel);
  const id = useId();
  return (
    <ActionButton
      icon={icon}
      label={label}
      on={on !== null}
      cannot={useRights().cannot(verb)}
      data-panel={panel}
      aria-haspopup="dialog"
      aria-expanded={isOpen}
      aria-describedby={on === null ? undefined : id}
      data-testid={`desk-${panel}`}
      onPointerEnter={() => preload(panel)}
      onAction={() => desk.view.set({ panel: isOpen ? null : panel })}
    >
      {on !== null && (
        <span id={id} className="visually-hidden">
          {on}
        </span>
      )}
    </ActionButton>
  );
}

export const EntryButton = (): ReactNode => (
  <PanelButton panel="entry" icon="sliders" label={useT()('entry.title')} verb="entry" />
);
export const ExtendButton = (): ReactNode => (
  <PanelButton panel="extend" icon="extend" label={useT()('acts.extend')} verb="extend" />
);
export const LayoutButton = (): ReactNode => (
  <PanelButton panel="layout" icon="layout" label={useT()('screen.acts.layout')} verb="layout" />
);
export const ScenesButton = (): ReactNode => (
  <PanelButton panel="scenes" icon="scenes" label={useT()('bar.scenes')} verb="scene" />
);

export function PollingButton() {
  const t = useT();
  const isPolling = useDeskPart(({ state }) => state.control.polling !== null);
  const on = isPolling ? t('bar.pollingOn') : null;
  return <PanelButton panel="polling" icon="turns" label={t('bar.polling')} verb="polling" on={on} />;
}

export function ContentButton() {
  const t = useT();
  const isLocked = useDeskPart(({ state }) => state.control.contentLockId !== null);
  const on = isLocked ? t('screen.acts.contentOn') : null;
  return <PanelButton panel="content" icon="share" label={t('screen.acts.content')} verb="contentLock" on={on} />;
}

export function CaptionsButton() {
  const t = useT();
  const areShown = useDeskPart(
    ({ state }) =>
      state.control.banner !== null ||
      Object.values(state.control.terminals).some((entry) => entry.present && entry.banner !== null),
  );
  const on = areShown ? t('screen.acts.captionsOn') : null;
  return <PanelButton panel="captions" icon="captions" label={t('screen.acts.captions')} verb="banner" on={on} />;
}
