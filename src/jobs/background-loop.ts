/** Background work of a feature that is neither a sweep nor a job: it holds no transaction while it waits for others. */
import type { Frames } from '../db/frame.ts';

export interface BackgroundLoop {
  name: string;
  /** Between two steps of which the first found nothing to do. */
  pauseMs: number;
  /** `wake` ends the pause. */
  open(frames: Frames, wake: () => void): OpenLoop;
}

export interface OpenLoop {
  /** Begins what there is to do, and waits for little of it. True when it should be asked again at once. */
  step(isStopping: () => boolean): Promise<boolean>;
  /** Resolves when nothing is running that a step has begun. Nothing is begun any more. */
  idle(): Promise<void>;
  /** Cuts short what is running. */
  abort(): void;
}
