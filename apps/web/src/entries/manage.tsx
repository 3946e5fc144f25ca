import { meetingRoutes } from './routes.tsx';
import { start } from './start.tsx';

void start(meetingRoutes());
