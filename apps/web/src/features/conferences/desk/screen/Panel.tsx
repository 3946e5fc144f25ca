import {
  useEffect,
  useEffectEvent,
  useId,
  useLayoutEffect,
  useRef,
  useState,
  type CSSProperties,
  type KeyboardEvent,
  type ReactNode,
  type SyntheticEvent,
} from 'react';
import { createPortal } from 'react-dom';
import { IconButton } from '../../../../ui/IconButton.tsx';
import { useT } from '../texts.tsx';
import '../../../../ui/popover.css';
import './screen.css';

interface PanelProps {
  title: string;
  /** The button the panel opens below; the focus returns to it. */
  anchor: () => HTMLElement | null;
  /** Pixels, if the page is wide enough. */
  width: number;
  /** Aligned to the end of the line instead, beside the names of the list. */
  atEnd?: boolean;
  onClose: () => void;
  testId: string;
  children: ReactNode;
}

const MARGIN = 8;
/** Space for the undo notice below the panel; pixels. */
const NOTICE = 60;
/** On a wall, texts (desk.css) and their containers are larger. */
const WALL = { from: 2_400, scale: 1.36 } as const;
const FOCUSABLE = 'button:not(:disabled), input:not(:disabled), textarea, select, [tabindex="0"]';
/**
 * Presses on these do not close the panel: drag handles of the list, to drag a terminal onto a seat, and the undo
 * notice.
 */
const WITH_PANEL = '.desk-drag, .desk-done, dialog';
/** Events inside the panel must not reach the component it belongs to. */
const stop = (event: SyntheticEvent): void => event.stopPropagation();

/**
 * A form beside the button that opened it. Tab moves through it as through the page; Escape or a press outside closes
 * it. The focus starts at the element marked `data-first`.
 */
// oxlint-disable-next-line max-lines-per-function -- Position, focus and closing share one element.
export function Panel({ title, anchor, width, atEnd = false, onClose, testId, children }: PanelProps) {
  const t = useT();
  const id = useId();
  const box = useRef<HTMLElement>(null);
  const [style, setStyle] = useState<CSSProperties>({ visibility: 'hidden' });
  const close = useEffectEvent(onClose);
  const anchored = useEffectEvent(anchor);

  useLayoutEffect(() => {
    const element = box.current;
    const place = () => {
      const at = anchored()?.getBoundingClientRect() ?? { left: MARGIN, bottom: MARGIN };
      const top = Math.min(at.bottom + 4, innerHeight / 2);
      const wide = Math.min(innerWidth >= WALL.from ? width * WALL.scale : width, innerWidth - 2 * MARGIN);
      setStyle({
        top,
        left: Math.max(MARGIN, Math.min(atEnd ? innerWidth : at.left, innerWidth - wide - MARGIN)),
        width: wide,
        maxHeight: innerHeight - top - NOTICE,
      });
    };
    place();
    addEventListener('resize', place);
    return () => {
      removeEventListener('resize', place);
      if (document.activeElement === document.body || element?.contains(document.activeElement)) anchored()?.focus();
    };
  }, [width, atEnd]);
  // Only visible elements can take the focus.
  const isPlaced = style.visibility === undefined;
  useEffect(() => {
    if (isPlaced)
      (
        box.current?.querySelector<HTMLElement>('[data-first]') ?? box.current?.querySelector<HTMLElement>(FOCUSABLE)
      )?.focus();
  }, [isPlaced]);

  useEffect(() => {
    const press = (event: PointerEvent) => {
      const target = event.target as Element;
      if (
        !box.current?.contains(target) &&
        anchored()?.contains(target) !== true &&
        target.closest(WITH_PANEL) === null
      )
        close();
    };
    // Escape closes the panel even if the focus was lost, for example because the focused button was removed.
    const escape = (event: globalThis.KeyboardEvent) => {
      if (event.key === 'Escape' && (document.activeElement === document.body || document.activeElement === anchored()))
        close();
    };
    addEventListener('keydown', escape);
    addEventListener('pointerdown', press, true);
    return () => {
      removeEventListener('keydown', escape);
      removeEventListener('pointerdown', press, true);
    };
  }, []);

  const keys = (event: KeyboardEvent) => {
    event.stopPropagation();
    if (event.key !== 'Escape' || event.defaultPrevented) return;
    event.preventDefault();
    onClose();
  };

  return createPortal(
    <section
      ref={box}
      className="popover desk-sheet"
      style={style}
      role="dialog"
      aria-labelledby={id}
      data-testid={testId}
      onKeyDown={keys}
      onClick={stop}
      onContextMenu={stop}
    >
      <header className="dialog-header">
        <h2 id={id}>{title}</h2>
        <IconButton icon="close" label={t('close')} onClick={onClose} />
      </header>
      {children}
    </section>,
    document.body,
  );
}
