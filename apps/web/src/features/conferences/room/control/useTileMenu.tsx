import { useCallback, useState, type ReactNode } from 'react';
import type { Call, Tile } from '../../../../call/index.ts';
import { PeopleDialogs, type PeopleDialog } from './PeopleDialogs.tsx';
import { PersonMenu } from './PersonMenu.tsx';
import type { Control } from './useControl.ts';

/** The menu of commands on the picture of a person, and the dialog that one of them has opened. */
export function useTileMenu(call: Call, control: Control): { tileMenu: (tile: Tile) => ReactNode; dialog: ReactNode } {
  const [dialog, setDialog] = useState<PeopleDialog | null>(null);
  const { send } = control;
  // Stable, because each tile renders again when it changes.
  const tileMenu = useCallback(
    (tile: Tile) => <PersonMenu call={call} send={send} tile={tile} onDialog={setDialog} onTile />,
    [call, send],
  );
  return {
    tileMenu,
    dialog: dialog !== null && <PeopleDialogs dialog={dialog} control={control} onClose={() => setDialog(null)} />,
  };
}
