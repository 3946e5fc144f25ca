import { useCallback, useState, type ReactNode } from 'react';
import type { Call, Tile } from '../../../../call/index.ts';
import { PeopleDialogs, type PeopleDialog } from './PeopleDialogs.tsx';
import { PersonMenu } from './PersonMenu.tsx';
import { useStorePart } from '../../shared/use-store.ts';
import type { Control } from './useControl.ts';

/** For people who control the meeting: the menu on the picture of a person, and the dialog that it has opened. */
export function useTileMenu(
  call: Call,
  control: Control,
): { tileMenu: ((tile: Tile) => ReactNode) | undefined; dialog: ReactNode } {
  const mayControl = useStorePart(call.store, ({ conference }) => conference?.me.can.control ?? false);
  const [dialog, setDialog] = useState<PeopleDialog | null>(null);
  const { send } = control;
  // Stable, because each tile renders again when it changes.
  const tileMenu = useCallback(
    (tile: Tile) => <PersonMenu call={call} send={send} tile={tile} onDialog={setDialog} onTile />,
    [call, send],
  );
  return {
    tileMenu: mayControl ? tileMenu : undefined,
    dialog: dialog !== null && <PeopleDialogs dialog={dialog} control={control} onClose={() => setDialog(null)} />,
  };
}
