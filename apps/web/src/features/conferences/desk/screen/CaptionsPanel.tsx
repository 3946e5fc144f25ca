import { useState } from 'react';
import { useDeskPart, type PanelProps } from '../context.ts';
import { useT } from '../texts.tsx';
import { CommandResponses } from './CommandResponses.tsx';
import { CaptionsForm } from './CaptionsForm.tsx';
import { Panel } from './Panel.tsx';
import { ShownCaptions } from './ShownCaptions.tsx';

/** Captions over the pictures, for all or for one terminal. */
export function CaptionsPanel({ anchor, onClose }: PanelProps) {
  const t = useT();
  const rows = useDeskPart((snapshot) => snapshot.rows);
  const [chosen, setChosen] = useState('');
  const termId = rows.some((row) => row.termId === chosen) ? chosen : '';
  return (
    <Panel
      title={t('screen.captions.title')}
      anchor={anchor}
      width={720}
      onClose={onClose}
      testId="desk-captions-panel"
    >
      <ShownCaptions />
      <CaptionsForm termId={termId === '' ? null : termId}>
        <label className="desk-sheet-field">
          <span>{t('screen.captions.target')}</span>
          <select
            className="select"
            value={termId}
            data-testid="desk-captions-target"
            onChange={(event) => setChosen(event.target.value)}
          >
            <option value="">{t('screen.captions.all')}</option>
            {rows.map((row) => (
              <option key={row.termId} value={row.termId}>
                {row.name}
              </option>
            ))}
          </select>
        </label>
      </CaptionsForm>
      <CommandResponses verbs={['banner']} />
    </Panel>
  );
}
