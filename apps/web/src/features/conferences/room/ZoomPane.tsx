import {
  useEffect,
  useEffectEvent,
  useRef,
  useState,
  type KeyboardEvent,
  type PointerEvent,
  type ReactNode,
} from 'react';
import { IconButton } from '../../../ui/IconButton.tsx';
import { useT } from '../texts.ts';
import { moveBy, STEP, WHOLE, zoomBy, zoomOfKey } from './model/zoom.ts';

type Point = Readonly<Record<'x' | 'y', number>>;

/** One notch of a wheel, or the matching step of a trackpad. */
const WHEEL = 0.0035;

/**
 * A picture that the user can enlarge and move: by buttons, by the wheel with Ctrl, by two fingers, by dragging, and by
 * the keys + - 0 and arrows.
 */
// oxlint-disable-next-line max-lines-per-function -- Wheel, pointers and keys share one zoom.
export function ZoomPane({ label, controls, children }: { label: string; controls: boolean; children: ReactNode }) {
  const t = useT();
  const pane = useRef<HTMLDivElement>(null);
  const [zoom, setZoom] = useState(WHOLE);
  const [dragging, setDragging] = useState(false);
  const pointers = useRef(new Map<number, Point>());
  const isZoomed = zoom.scale > 1;

  const pointOf = ({ clientX, clientY }: { clientX: number; clientY: number }): Point => {
    const box = pane.current?.getBoundingClientRect();
    if (box === undefined || box.width === 0 || box.height === 0) return { x: 0.5, y: 0.5 };
    return { x: (clientX - box.left) / box.width, y: (clientY - box.top) / box.height };
  };
  const wheel = useEffectEvent((event: WheelEvent) => {
    if (!event.ctrlKey) return;
    event.preventDefault();
    setZoom((before) => zoomBy(before, Math.exp(-event.deltaY * WHEEL), pointOf(event)));
  });
  useEffect(() => {
    const element = pane.current;
    const listen = (event: WheelEvent) => wheel(event);
    // React's own listener is passive, and the browser would zoom the page.
    element?.addEventListener('wheel', listen, { passive: false });
    return () => element?.removeEventListener('wheel', listen);
  }, []);

  const down = (event: PointerEvent<HTMLDivElement>) => {
    if (event.target instanceof Element && event.target.closest('button') !== null) return;
    pointers.current.set(event.pointerId, pointOf(event));
    if (!isZoomed && pointers.current.size < 2) return;
    event.currentTarget.setPointerCapture(event.pointerId);
    setDragging(true);
  };
  const move = (event: PointerEvent) => {
    const before = pointers.current.get(event.pointerId);
    if (before === undefined) return;
    const now = pointOf(event);
    const [other] = [...pointers.current].filter(([id]) => id !== event.pointerId).map(([, point]) => point);
    pointers.current.set(event.pointerId, now);
    if (other === undefined) setZoom((at) => moveBy(at, now.x - before.x, now.y - before.y));
    else setZoom((at) => zoomBy(at, distance(now, other) / distance(before, other), middle(now, other)));
  };
  const up = (event: PointerEvent) => {
    pointers.current.delete(event.pointerId);
    if (pointers.current.size === 0) setDragging(false);
  };
  const keys = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const next = zoomOfKey(zoom, event.key);
    if (next === null) return;
    event.preventDefault();
    event.stopPropagation();
    setZoom(next);
  };
  const percent = Math.round(zoom.scale * 100);
  return (
    <div
      ref={pane}
      className="zoom"
      role="group"
      aria-label={t('zoom.label', { name: label })}
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- Its keys enlarge and move the picture.
      tabIndex={controls ? 0 : -1}
      data-zoomed={isZoomed}
      data-dragging={dragging}
      data-testid="zoom"
      onPointerDown={down}
      onPointerMove={move}
      onPointerUp={up}
      onPointerCancel={up}
      onPointerLeave={up}
      onKeyDown={keys}
    >
      <div
        className="zoom-content"
        style={{ transform: `translate(${zoom.x * 100}%, ${zoom.y * 100}%) scale(${zoom.scale})` }}
      >
        {children}
      </div>
      {controls && (
        <div className="zoom-controls">
          <IconButton
            icon="zoomOut"
            label={t('zoom.out')}
            disabled={!isZoomed}
            data-testid="zoom-out"
            onClick={() => setZoom(zoomBy(zoom, 1 / STEP))}
          />
          <button
            type="button"
            className="zoom-reset"
            aria-label={t('zoom.reset', { percent })}
            title={t('zoom.reset', { percent })}
            data-testid="zoom-reset"
            onClick={() => setZoom(WHOLE)}
          >
            {`${percent} %`}
          </button>
          <IconButton
            icon="zoomIn"
            label={t('zoom.in')}
            data-testid="zoom-in"
            onClick={() => setZoom(zoomBy(zoom, STEP))}
          />
        </div>
      )}
    </div>
  );
}

const distance = (a: Point, b: Point): number => Math.max(0.001, Math.hypot(a.x - b.x, a.y - b.y));
const middle = (a: Point, b: Point): Point => ({ x: (a.x + b.x) / 2, y: (a.y + b.y) / 2 });
