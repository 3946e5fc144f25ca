import { lazy, Suspense, useEffect, useId, useState } from 'react';
import { loadChunk } from '../../../lib/chunks.ts';
import { useTexts } from '../../../lib/i18n/index.ts';
import { Icon } from '../../../ui/icons.tsx';
import { createTooltip } from './tooltip.ts';
import { useDrag } from './useDrag.ts';
import '../texts.ts';
import './assistantButton.css';

// The drawer loads antd.
const AssistantDrawer = lazy(() =>
  loadChunk(async () => ({ default: (await import('./AssistantDrawer.tsx')).AssistantDrawer })),
);

/** The floating, draggable button of the assistant with its tooltip, and the drawer that it opens. */
export function AssistantButton() {
  const t = useTexts('assistant');
  const [tipShown, setTipShown] = useState(false);
  const [tooltip] = useState(() => createTooltip(setTipShown));
  const [open, setOpen] = useState(false);
  const [wasOpened, setWasOpened] = useState(false);
  const { corner, isDragging, takeDrag, handlers } = useDrag(tooltip.hide);
  const id = useId();

  useEffect(() => tooltip.hide, [tooltip]);

  return (
    <>
      <section
        aria-label={t('title')}
        className={isDragging ? 'assistant-button assistant-button-dragging' : 'assistant-button'}
        style={{ left: corner.left, top: corner.top }}
      >
        <button
          type="button"
          aria-label={t('open')}
          aria-haspopup="dialog"
          aria-describedby={`${id}-move`}
          data-testid="assistant-button"
          {...handlers}
          onPointerEnter={tooltip.enter}
          onPointerLeave={tooltip.leave}
          onFocus={tooltip.enter}
          onBlur={tooltip.leave}
          onKeyDown={(event) => {
            if (event.key === 'Escape') tooltip.hide();
            handlers.onKeyDown(event);
          }}
          onClick={() => {
            if (takeDrag()) return;
            tooltip.hide();
            setOpen(true);
            setWasOpened(true);
          }}
        >
          <Icon name="assistant" size={26} />
        </button>
        <span id={`${id}-move`} className="visually-hidden">
          {t('move')}
        </span>
        {tipShown && <Tip isAtLeft={corner.left < innerWidth / 2} />}
      </section>
      {wasOpened && (
        <Suspense fallback={null}>
          <AssistantDrawer open={open} onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  );
}

/** The tooltip, on the side where there is space. */
function Tip({ isAtLeft }: { isAtLeft: boolean }) {
  const t = useTexts('assistant');
  return (
    <span
      role="tooltip"
      className={isAtLeft ? 'assistant-tip assistant-tip-right' : 'assistant-tip'}
      data-testid="assistant-tip"
    >
      {t('tip')}
    </span>
  );
}
