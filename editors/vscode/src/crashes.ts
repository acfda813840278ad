// How often a server that ends by itself is started again.

/** Restarts with growing pauses, up to some within a time; who restarts it by hand starts counting anew. */
export class Crashes {
  private times: number[] = [];

  constructor(
    private readonly most = 4,
    private readonly within = 3 * 60_000,
    private readonly first = 500,
  ) {}

  /** Notes a crash; the pause in milliseconds before the next start, or none where it is time to give up. */
  next(now: number): number | undefined {
    this.times = this.times.filter((time) => now - time < this.within);
    this.times.push(now);
    return this.times.length > this.most ? undefined : this.first * 2 ** (this.times.length - 1);
  }

  get count(): number {
    return this.times.length;
  }

  forget(): void {
    this.times = [];
  }
}
