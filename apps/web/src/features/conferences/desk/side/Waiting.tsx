import { useState } from 'react';
import type { DeskState } from '@rmeet/contract';
import { Button } from '../../../../ui/Button.tsx';
import { useDesk, useDeskPart, useRights } from '../context.ts';
import { deviceKind } from '../model/terminal-state.ts';
import { ActionButton } from '../components/ActionButton.tsx';
import { Dialog } from '../../../../ui/Dialog.tsx';
import { Since } from '../components/Since.tsx';
import { useT } from '../texts.tsx';

type Person = DeskState['waiting'][number];

/** Maximum length of a reason on the server. */
const REASON_LENGTH = 200;

/** People waiting for admission, with their messages. */
export function Waiting() {
  const t = useT();
  const desk = useDesk();
  const rights = useRights();
  const waiting = useDeskPart(({ state }) => state.waiting);
  const [refused, setRefused] = useState<Person | null>(null);
  if (waiting.length === 0) return <p className="desk-nothing">{t('waiting.empty')}</p>;
  return (
    <>
      <ul className="desk-people">
        {waiting.map((each) => (
          <li key={each.termId} data-testid={`desk-waiting-${each.termId}`}>
            <div className="desk-person">
              <strong title={each.name}>{each.name}</strong>
              <small>
                {t(`device.${deviceKind(each.deviceType)}`)} · <Since time={each.since} />
              </small>
              {each.message !== null && <q>{each.message}</q>}
            </div>
            {rights.may('admit') && (
              <div className="desk-person-acts">
                <ActionButton
                  icon="check"
                  size={18}
                  label={t('waiting.admit')}
                  className="desk-act-yes"
                  cannot={rights.cannot('admit')}
                  data-testid={`desk-admit-${each.termId}`}
                  onAction={() => void desk.act({ verb: 'admit', termIds: [each.termId] })}
                />
                <ActionButton
                  bare
                  icon="close"
                  size={18}
                  label={t('waiting.refuse', { name: each.name })}
                  cannot={rights.cannot('refuse')}
                  data-testid={`desk-refuse-${each.termId}`}
                  onAction={() => setRefused(each)}
                />
              </div>
            )}
          </li>
        ))}
      </ul>
      {refused !== null && <RefuseDialog person={refused} onClose={() => setRefused(null)} />}
    </>
  );
}

function RefuseDialog({ person, onClose }: { person: Person; onClose: () => void }) {
  const t = useT();
  const desk = useDesk();
  const [reason, setReason] = useState('');
  const refuse = () => {
    onClose();
    void desk.act({ verb: 'refuse', termIds: [person.termId], reason: reason.trim() });
  };
  return (
    <Dialog title={t('waiting.refuseTitle', { name: person.name })} testId="desk-refuse-dialog" onClose={onClose}>
      <form
        className="desk-form"
        onSubmit={(event) => {
          event.preventDefault();
          refuse();
        }}
      >
        <label>
          {t('waiting.reason')}
          <input
            value={reason}
            maxLength={REASON_LENGTH}
            placeholder={t('waiting.reasonHint')}
            data-testid="desk-refuse-reason"
            onChange={(event) => setReason(event.target.value)}
          />
        </label>
        <div className="desk-form-buttons">
          <Button onClick={onClose}>{t('cancel')}</Button>
          <Button kind="danger" type="submit" data-testid="desk-refuse-ok">
            {t('waiting.refuseOk')}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
