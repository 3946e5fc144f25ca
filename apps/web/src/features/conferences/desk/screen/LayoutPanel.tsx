import { WINDOW_POSITIONS } from '@rmeet/conference';
import { useDesk, useDeskPart, useRights, type PanelProps } from '../context.ts';
import { useT } from '../texts.tsx';
import { CommandResponses } from './CommandResponses.tsx';
import { Choices } from './Choices.tsx';
import { LayoutEditor } from './LayoutEditor.tsx';
import { Panel } from './Panel.tsx';

/** The common layout: its model, its seats, and what participants may change. */
export function LayoutPanel({ anchor, onClose }: PanelProps) {
  const t = useT();
  const desk = useDesk();
  const rights = useRights();
  const layout = useDeskPart(({ state }) => state.control.layout);
  const window = useDeskPart(({ state }) => state.control.window);
  const ownViews = useDeskPart(({ state }) => state.control.allowOwnLayout);
  return (
    <Panel
      title={t('screen.layout.title')}
      anchor={anchor}
      width={700}
      atEnd
      onClose={onClose}
      testId="desk-layout-panel"
    >
      <LayoutEditor termId={null} layout={layout} />
      <OwnLayouts />
      <footer className="desk-sheet-foot">
        {rights.may('window') && (
          <div className="desk-sheet-field">
            <span>{t('screen.window.title')}</span>
            <Choices
              label={t('screen.window.title')}
              values={['AUTO', ...WINDOW_POSITIONS] as const}
              value={window ?? 'AUTO'}
              textOf={(each) => t(`screen.window.${each}`)}
              testId="desk-window"
              onChoose={(each) => void desk.act({ verb: 'window', position: each === 'AUTO' ? null : each })}
            />
          </div>
        )}
        <label className="desk-switch">
          <input
            type="checkbox"
            role="switch"
            checked={ownViews}
            data-testid="desk-own-views"
            onChange={() =>
              void desk.act({ verb: 'layout', model: layout.model, places: layout.places, allowOwnLayout: !ownViews })
            }
          />
          <span>
            {t('screen.layout.ownView')}
            <small>{t('screen.layout.ownViewHint')}</small>
          </span>
        </label>
        <CommandResponses verbs={['layout', 'seats', 'window', 'terminalLayout']} />
      </footer>
    </Panel>
  );
}

/** Terminals that do not see the common layout, with a button to return them to it. */
function OwnLayouts() {
  const t = useT();
  const desk = useDesk();
  const rights = useRights();
  const rows = useDeskPart((snapshot) => snapshot.rows);
  const others = rows.filter(({ ownLayout }) => ownLayout);
  if (others.length === 0) return null;
  return (
    <div className="desk-own-layouts">
      <span>{t('screen.layout.others', { count: others.length })}</span>
      <ul>
        {others.map(({ termId, name }) => (
          <li key={termId}>
            <button
              type="button"
              className="desk-chip"
              title={name}
              onClick={() => desk.view.set({ panel: null, screenOf: { part: 'layout', termId } })}
            >
              {name}
            </button>
            {rights.may('terminalLayout') && (
              <button
                type="button"
                className="desk-chip-clear"
                title={t('screen.layout.common')}
                aria-label={t('screen.layout.commonFor', { name })}
                data-testid={`desk-common-${termId}`}
                onClick={() => void desk.act({ verb: 'terminalLayout', termId, layout: null })}
              >
                ×
              </button>
            )}
          </li>
        ))}
      </ul>
    </div>
  );
}
