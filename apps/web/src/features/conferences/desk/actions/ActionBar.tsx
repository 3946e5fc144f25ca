import { CHOSEN_MODES, type ChosenMode } from '@rmeet/conference';
import { useState } from 'react';
import { ask } from '../../../../lib/notify.ts';
import { useDesk, useDeskPart, useRights, useView } from '../context.ts';
import type { IconName } from '../../../../ui/icons.tsx';
import { absentees } from '../model/absent.ts';
import { ActionButton } from '../components/ActionButton.tsx';
import { Popover } from '../../../../ui/Popover.tsx';
import { ScreenActions } from '../screen/ScreenActions.tsx';
import { ProceedingsActions } from '../proceedings/ProceedingsActions.tsx';
import { useT } from '../texts.tsx';
import { EntrySettings } from './EntrySettings.tsx';

const MODE_ICONS: Record<ChosenMode, IconName> = { AUTO: 'mic', SPEAKER: 'air', EQUAL: 'grid' };
const MINUTES = [10, 15, 30, 60] as const;

/** The actions a chair needs under pressure: always in the same place, each one click away. */
export function ActionBar() {
  const t = useT();
  const rights = useRights();
  const muteIsOpen = rights.may('muteAll');
  return (
    <section className="desk-acts" aria-label={t('acts.title')} data-testid="desk-acts">
      {muteIsOpen && <SoundActions />}
      {rights.may('admit') && <AdmitAll />}
      <ModeActions />
      <ProceedingsActions />
      <EntryActions />
      <ScreenActions />
      <TimeActions />
    </section>
  );
}

function SoundActions() {
  const t = useT();
  const desk = useDesk();
  const cannot = useRights().cannot('muteAll');
  return (
    <div className="desk-act-group" role="group" aria-label={t('acts.sound')}>
      <ActionButton
        icon="micOff"
        label={t('acts.muteAll')}
        className="desk-act-strong"
        cannot={cannot}
        data-testid="desk-mute-all"
        onAction={() => void desk.act({ verb: 'muteAll', muted: true, except: [], allowSelfUnmute: null })}
      />
      <ActionButton
        icon="mic"
        label={t('acts.unmuteAll')}
        cannot={cannot}
        data-testid="desk-unmute-all"
        onAction={() => void desk.act({ verb: 'muteAll', muted: false, except: [], allowSelfUnmute: null })}
      />
    </div>
  );
}

function AdmitAll() {
  const t = useT();
  const desk = useDesk();
  const waiting = useDeskPart(({ state }) => state.waiting);
  const admit = () => void desk.act({ verb: 'admit', termIds: waiting.map(({ termId }) => termId) });
  return (
    <>
      <span className="visually-hidden" role="status">
        {waiting.length === 0 ? '' : t('acts.waitingNow', { count: waiting.length })}
      </span>
      <ActionButton
        icon="admit"
        label={t('acts.admitAll')}
        className={waiting.length > 0 ? 'desk-act-due' : ''}
        idle={waiting.length === 0 ? t('acts.nobodyWaits') : null}
        cannot={useRights().cannot('admit')}
        data-testid="desk-admit-all"
        onAction={admit}
      >
        {waiting.length > 0 && <span className="desk-count">{waiting.length}</span>}
      </ActionButton>
    </>
  );
}

/** The terminal put on air when the mode SPEAKER is chosen: the selected one, else the active speaker. */
function useCandidate(): string | null {
  const selected = useView(({ selection }) => (selection.ids.size === 1 ? ([...selection.ids][0] ?? null) : null));
  const speaking = useDeskPart(({ rows }) => rows.find((row) => row.speaking)?.termId ?? null);
  return selected ?? speaking;
}

function ModeActions() {
  const t = useT();
  const desk = useDesk();
  const rights = useRights();
  const mode = useDeskPart(({ state }) => state.control.mode);
  const onAir = useDeskPart(({ rows }) => rows.find((row) => row.onAir)?.name ?? null);
  const candidate = useCandidate();
  if (!rights.may('mode')) return null;
  const choose = (next: ChosenMode) =>
    void desk.act({ verb: 'mode', mode: next, termId: next === 'SPEAKER' ? candidate : null });
  return (
    <div className="desk-act-group" role="group" aria-label={t('mode.title')}>
      <div className="desk-modes">
        {CHOSEN_MODES.map((each) => (
          <ActionButton
            key={each}
            icon={MODE_ICONS[each]}
            label={t(`mode.${each}`)}
            aria-pressed={mode === each}
            cannot={rights.cannot('mode')}
            idle={each === 'SPEAKER' && mode !== 'SPEAKER' && candidate === null ? t('mode.choose') : null}
            data-testid={`desk-mode-${each}`}
            onAction={() => {
              if (mode !== each) choose(each);
            }}
          />
        ))}
      </div>
      {rights.may('speaker') && (
        <ActionButton
          icon="airOff"
          label={t('acts.speakerOff')}
          idle={onAir === null ? t('acts.nobodyOnAir') : null}
          cannot={rights.cannot('speaker')}
          className={onAir === null ? '' : 'desk-act-live'}
          data-testid="desk-speaker-off"
          onAction={() => void desk.act({ verb: 'speaker', termId: null })}
        />
      )}
    </div>
  );
}

function EntryActions() {
  const t = useT();
  const desk = useDesk();
  const rights = useRights();
  const locked = useDeskPart(({ state }) => state.control.locked);
  const absent = useDeskPart(({ state }) => absentees(state).length);
  const [settings, setSettings] = useState<HTMLElement | null>(null);
  const shown = rights.may('lock') || rights.may('entry') || rights.may('call');
  if (!shown) return null;
  return (
    <div className="desk-act-group" role="group" aria-label={t('acts.doors')}>
      {rights.may('lock') && (
        <ActionButton
          icon={locked ? 'lock' : 'unlock'}
          label={t(locked ? 'acts.unlock' : 'acts.lock')}
          aria-pressed={locked}
          cannot={rights.cannot('lock')}
          data-testid="desk-lock"
          onAction={() => void desk.act({ verb: 'lock', locked: !locked })}
        />
      )}
      {rights.may('entry') && (
        <ActionButton
          icon="sliders"
          label={t('entry.title')}
          aria-haspopup="dialog"
          aria-expanded={settings !== null}
          cannot={rights.cannot('entry')}
          data-testid="desk-entry"
          onAction={(button) => setSettings((open) => (open === null ? button : null))}
        />
      )}
      {settings !== null && <EntrySettings anchor={settings} onClose={() => setSettings(null)} />}
      {rights.may('call') && (
        <ActionButton
          icon="call"
          label={t('acts.callAll')}
          idle={absent === 0 ? t('acts.nobodyAbsent') : null}
          cannot={rights.cannot('call')}
          data-testid="desk-call-all"
          onAction={() => void desk.act({ verb: 'call', targets: [] })}
        >
          {absent > 0 && <span className="desk-count desk-count-quiet">{absent}</span>}
        </ActionButton>
      )}
    </div>
  );
}

function TimeActions() {
  const t = useT();
  const desk = useDesk();
  const rights = useRights();
  const [anchor, setAnchor] = useState<HTMLElement | null>(null);
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
  if (!rights.may('extend') && !rights.may('end')) return null;
  return (
    <div className="desk-act-group desk-act-last" role="group" aria-label={t('acts.time')}>
      {rights.may('extend') && (
        <ActionButton
          icon="clock"
          label={t('acts.extend')}
          aria-haspopup="dialog"
          aria-expanded={anchor !== null}
          cannot={rights.cannot('extend')}
          data-testid="desk-extend"
          onAction={(button) => setAnchor((open) => (open === null ? button : null))}
        />
      )}
      {anchor !== null && (
        <Popover label={t('acts.extend')} anchor={anchor} onClose={() => setAnchor(null)} testId="desk-extend-choices">
          {MINUTES.map((minutes) => (
            <button
              key={minutes}
              type="button"
              className="desk-choice"
              data-testid={`desk-extend-${minutes}`}
              onClick={() => {
                setAnchor(null);
                void desk.act({ verb: 'extend', minutes });
              }}
            >
              {t('acts.extendBy', { minutes })}
            </button>
          ))}
        </Popover>
      )}
      {rights.may('end') && (
        <ActionButton
          icon="leave"
          label={t('acts.end')}
          className="desk-act-end"
          cannot={rights.cannot('end')}
          data-testid="desk-end"
          onAction={() => void end()}
        />
      )}
    </div>
  );
}
