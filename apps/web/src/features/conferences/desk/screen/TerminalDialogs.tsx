import { Button } from '../../../../ui/Button.tsx';
import { useDesk, useDeskPart, useRights } from '../context.ts';
import { Dialog } from '../../../../ui/Dialog.tsx';
import { useT } from '../texts.tsx';
import { CommandResponses } from './CommandResponses.tsx';
import { CaptionsForm } from './CaptionsForm.tsx';
import { LayoutEditor } from './LayoutEditor.tsx';
import { ShownCaptions } from './ShownCaptions.tsx';
import './screen.css';

interface OneTerminalProps {
  termId: string;
  onClose: () => void;
}

/** The layout that one terminal sees instead of the common one. */
export function TerminalLayoutDialog({ termId, onClose }: OneTerminalProps) {
  const t = useT();
  const desk = useDesk();
  const mayChange = useRights().may('terminalLayout');
  const entry = useDeskPart(({ state }) => state.control.terminals[termId] ?? null);
  const common = useDeskPart(({ state }) => state.control.layout);
  const own = entry?.layout ?? null;
  return (
    <Dialog wide title={t('screen.one.layout', { name: entry?.name ?? '' })} testId="desk-one-layout" onClose={onClose}>
      {entry?.present !== true && (
        <p className="desk-nothing" role="status">
          {t('streams.gone')}
        </p>
      )}
      <p
        className={own === null ? 'desk-sheet-hint' : 'desk-sheet-hint desk-sheet-own'}
        role="status"
        data-testid="desk-one-state"
      >
        {t(own === null ? 'screen.one.follows' : 'screen.one.differs')}
      </p>
      <LayoutEditor termId={termId} layout={own ?? common} />
      <footer className="desk-sheet-foot">
        <CommandResponses verbs={['seats', 'terminalLayout']} />
        {own !== null && mayChange && (
          <Button
            data-testid="desk-one-common"
            onClick={() => void desk.act({ verb: 'terminalLayout', termId, layout: null })}
          >
            {t('screen.layout.common')}
          </Button>
        )}
      </footer>
    </Dialog>
  );
}

/** Captions that one terminal sees instead of those for all. */
export function TerminalCaptionsDialog({ termId, onClose }: OneTerminalProps) {
  const t = useT();
  const name = useDeskPart(({ state }) => state.control.terminals[termId]?.name ?? '');
  return (
    <Dialog wide title={t('screen.one.captions', { name })} testId="desk-one-captions" onClose={onClose}>
      <ShownCaptions only={termId} />
      <CaptionsForm termId={termId} />
    </Dialog>
  );
}
