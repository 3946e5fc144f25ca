import { useStore } from '../shared/use-store.ts';
import { useDesk, useRights, type Done } from './context.ts';
import { ActionButton } from './components/ActionButton.tsx';
import { useNames } from './side/useNames.ts';
import { useT } from './texts.tsx';
import { describe } from './describe.ts';

/** Shows what was just done, with an undo button. */
export function DoneNotices() {
  const t = useT();
  const desk = useDesk();
  const mayUndo = useRights().may('undo');
  const nameOf = useNames();
  const { notices } = useStore(desk.done);
  const undo = ({ id, commandId }: Done) => {
    desk.forget(id);
    if (commandId !== null) void desk.act({ verb: 'undo', commandId });
  };
  return (
    <div className="desk-done" role="status" aria-live="polite">
      {notices.map((done) => (
        <p key={done.id} data-testid="desk-done">
          <span>{describe(done.command, nameOf, t)}</span>
          {done.commandId !== null && mayUndo && (
            <ActionButton
              icon="undo"
              size={16}
              label={t('log.undo')}
              className="desk-act-small"
              data-testid="desk-undo"
              onAction={() => undo(done)}
            />
          )}
        </p>
      ))}
    </div>
  );
}
