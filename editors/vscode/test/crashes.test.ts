import assert from "node:assert/strict";
import { test } from "node:test";
import { Crashes } from "../src/crashes.ts";

test("pauses grow, and after some crashes it is enough", () => {
  const crashes = new Crashes(4, 180_000, 500);
  assert.deepEqual(
    [1, 2, 3, 4, 5].map((time) => crashes.next(time)),
    [500, 1000, 2000, 4000, undefined],
  );
});

test("crashes of long ago do not count", () => {
  const crashes = new Crashes(2, 1000, 10);
  assert.deepEqual(
    [0, 600, 1200, 1800].map((time) => crashes.next(time)),
    [10, 20, 20, 20],
  );
  assert.equal(crashes.next(1900), undefined);
});

test("who starts it by hand starts counting anew", () => {
  const crashes = new Crashes(1, 1000, 10);
  crashes.next(0);
  crashes.forget();
  assert.equal(crashes.next(1), 10);
});
