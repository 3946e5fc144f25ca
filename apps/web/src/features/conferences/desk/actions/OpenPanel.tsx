import { lazy, Suspense, type RefObject } from 'react';
import { loadChunk } from '../../../../lib/chunks.ts';
import { useDesk, useRights, useView, type PanelName } from '../context.ts';
import { EntrySettings } from './EntrySettings.tsx';
import { ExtendChoices } from './ExtendChoices.tsx';
import { MORE } from './useFitting.ts';

const screen = () => loadChunk(() => import('../screen/panels.ts'));
const polling = () => loadChunk(() => import('../proceedings/PollingPanel.tsx'));
const scenes = () => loadChunk(() => import('../proceedings/ScenesPanel.tsx'));
const LOADS: Partial<Record<PanelName, () => Promise<unknown>>> = {
  layout: screen,
  content: screen,
  captions: screen,
  polling,
  scenes,
};

/** Larger panels are loaded after the desk, as soon as the pointer is on their button. */
export function preload(panel: PanelName): void {
  void LOADS[panel]?.();
}

/** Each panel, and the verb that it requires. */
const PANELS = {
  layout: { verb: 'layout', Panel: lazy(async () => ({ default: (await screen()).LayoutPanel })) },
  content: { verb: 'contentLock', Panel: lazy(async () => ({ default: (await screen()).ContentPanel })) },
  captions: { verb: 'banner', Panel: lazy(async () => ({ default: (await screen()).CaptionsPanel })) },
  polling: { verb: 'polling', Panel: lazy(async () => ({ default: (await polling()).PollingPanel })) },
  scenes: { verb: 'scene', Panel: lazy(async () => ({ default: (await scenes()).ScenesPanel })) },
  entry: { verb: 'entry', Panel: EntrySettings },
  extend: { verb: 'extend', Panel: ExtendChoices },
} satisfies Record<PanelName, unknown>;

/** The open panel, beside its button or, if that is in the menu, beside the button of the menu. */
export function OpenPanel({ bar }: { bar: RefObject<HTMLElement | null> }) {
  const desk = useDesk();
  const rights = useRights();
  const open = useView((view) => view.panel);
  if (open === null || !rights.may(PANELS[open].verb)) return null;
  const { Panel } = PANELS[open];
  return (
    <Suspense fallback={null}>
      <Panel
        key={open}
        anchor={() =>
          bar.current?.querySelector<HTMLElement>(`[data-panel="${open}"]`) ??
          bar.current?.querySelector<HTMLElement>(`[data-item="${MORE}"] button`) ??
          null
        }
        onClose={() => desk.view.set({ panel: null })}
      />
    </Suspense>
  );
}
