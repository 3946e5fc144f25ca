import { Button } from '../../../../ui/Button.tsx';
import { useDesk, useRights } from '../context.ts';
import type { Diagnosis } from '../model/diagnose.ts';
import type { TerminalRow } from '../model/rows.ts';
import { useT } from '../texts.tsx';
import { cannotText, diagnosisText } from '../describe.ts';

interface TroubleProps {
  row: Pick<TerminalRow, 'termId' | 'name' | 'cannot'>;
  diagnosis: Diagnosis;
  /** Called after the remedy button was pressed. */
  onDone?: () => void;
}

/** What is wrong with a terminal's media, the remedy, and a button that applies it. */
export function DiagnosisNotice({ row, diagnosis, onDone }: TroubleProps) {
  const t = useT();
  const desk = useDesk();
  const rights = useRights();
  const { termId, name } = row;
  const { remedy, severity, cause } = diagnosis;
  const verb = remedy?.act === 'cameraOff' ? 'camera' : 'limitVideo';
  const cannot = rights.cannot(verb, row);
  const apply = () => {
    onDone?.();
    if (remedy?.act === 'limitVideo')
      void desk.act({ verb: 'limitVideo', termIds: [termId], maxHeight: remedy.maxHeight });
    if (remedy?.act === 'cameraOff') void desk.act({ verb: 'camera', termIds: [termId], open: false });
  };
  return (
    <div className={`desk-trouble desk-trouble-${severity}`} data-testid="desk-diagnosis" data-cause={cause}>
      <p>{diagnosisText(diagnosis, name, t)}</p>
      {remedy !== null && rights.may(verb) && (
        <Button
          disabled={cannot !== null}
          title={cannot === null ? undefined : cannotText(cannot, t)}
          data-testid="desk-remedy"
          onClick={apply}
        >
          {t(`remedy.do.${remedy.act}`, { height: remedy.act === 'limitVideo' ? remedy.maxHeight : 0 })}
        </Button>
      )}
    </div>
  );
}
