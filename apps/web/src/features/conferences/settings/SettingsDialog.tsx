import { useId, useRef, useState, type KeyboardEvent } from 'react';
import type { Call, LocalMedia } from '../../../call/index.ts';
import { Dialog } from '../../../ui/Dialog.tsx';
import { useHasKeyboard } from '../shared/hooks.ts';
import { useT } from '../texts.ts';
import { AudioTab } from './AudioTab.tsx';
import { GeneralTab } from './GeneralTab.tsx';
import { StatisticsTab } from './StatisticsTab.tsx';
import { VideoTab, VideoTabInCall } from './VideoTab.tsx';
import { ShortcutsTab } from './ShortcutsTab.tsx';
import type { SettingsTab } from './tabs.ts';
import './settings.css';

interface SettingsDialogProps {
  local: LocalMedia;
  /** Null before joining. */
  call: Call | null;
  tab: SettingsTab;
  onClose: () => void;
}

/** All settings of a participant, before joining and in the meeting. */
export function SettingsDialog({ local, call, tab: first, onClose }: SettingsDialogProps) {
  const t = useT();
  const id = useId();
  const [tab, setTab] = useState(first);
  const hasKeyboard = useHasKeyboard();
  const tabs: SettingsTab[] = [
    'audio',
    'video',
    'general',
    ...(hasKeyboard || tab === 'shortcuts' ? ['shortcuts' as const] : []),
    ...(call === null ? [] : ['statistics' as const]),
  ];
  return (
    <div className="settings-host">
      <Dialog title={t('settings.title')} testId="settings-dialog" wide onClose={onClose}>
        <div className="settings">
          <Tabs id={id} tabs={tabs} chosen={tab} onChoose={setTab} />
          <div
            key={tab}
            role="tabpanel"
            id={`${id}-panel`}
            aria-labelledby={`${id}-${tab}`}
            className="settings-panel"
            tabIndex={0}
          >
            {tab === 'audio' && <AudioTab local={local} />}
            {tab === 'video' &&
              (call === null ? <VideoTab local={local} /> : <VideoTabInCall call={call} local={local} />)}
            {tab === 'general' && <GeneralTab call={call} />}
            {tab === 'shortcuts' && <ShortcutsTab />}
            {tab === 'statistics' && call !== null && <StatisticsTab call={call} local={local} />}
          </div>
        </div>
      </Dialog>
    </div>
  );
}

interface TabsProps {
  id: string;
  tabs: readonly SettingsTab[];
  chosen: SettingsTab;
  onChoose: (tab: SettingsTab) => void;
}

/** The list of tabs; arrow keys move through it. */
function Tabs({ id, tabs, chosen, onChoose }: TabsProps) {
  const t = useT();
  const list = useRef<HTMLDivElement>(null);
  const keyDown = (event: KeyboardEvent) => {
    const at = tabs.indexOf(chosen);
    const next = { ArrowDown: at + 1, ArrowRight: at + 1, ArrowUp: at - 1, ArrowLeft: at - 1, Home: 0, End: -1 }[
      event.key
    ];
    if (next === undefined) return;
    event.preventDefault();
    const index = (next + tabs.length) % tabs.length;
    onChoose(tabs[index] ?? chosen);
    list.current?.querySelectorAll<HTMLElement>('[role=tab]')[index]?.focus();
  };
  return (
    <div ref={list} role="tablist" aria-label={t('self.tabs.label')} className="settings-tabs" onKeyDown={keyDown}>
      {tabs.map((each) => (
        <button
          key={each}
          type="button"
          role="tab"
          id={`${id}-${each}`}
          aria-selected={each === chosen}
          aria-controls={`${id}-panel`}
          tabIndex={each === chosen ? 0 : -1}
          data-focus={each === chosen ? '' : undefined}
          data-testid={`settings-tab-${each}`}
          onClick={() => onChoose(each)}
        >
          {t(`self.tabs.${each}`)}
        </button>
      ))}
    </div>
  );
}
