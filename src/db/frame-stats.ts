/** What is known of a process's connections and transactions without asking anybody. */
export interface FrameStats {
  /** Connections that there may be. */
  size: number;
  inUse: number;
  /** Callers that wait for a connection. */
  waiting: number;
  /** Callers that were turned away without one, since the start. */
  refused: number;
  /** Transactions run once more after a deadlock, a serialization failure or a lost connection, since the start. */
  retried: number;
  /** Connections destroyed because they had gone mute, since the start. */
  destroyed: number;
  /** Whether the last that was heard of the database was good, and for how many ms it has been so. */
  reachable: boolean;
  reachableMs: number;
  /** For how many ms no connection came back though new ones can be made; 0 unless the process cannot mend that by itself. */
  stuckMs: number;
}
