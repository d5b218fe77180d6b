;; Dot products of one query with many rows. dot-products.wasm is this text assembled by wabt, so that a server needs no
;; assembler; vectors.test.ts holds that both agree.
(module
  (memory (import "env" "memory") 1)
  ;; Writes the dot product of the query and each row. `query`: `dims` 16-bit integers; `row`: `count` rows of `dims` 8-bit
  ;; integers; `sum`: where the `count` 32-bit sums go. `dims` is a multiple of 16, `count` at least 1.
  (func (export "dotProducts")
    (param $query i32) (param $row i32) (param $dims i32) (param $count i32) (param $sum i32)
    (local $end i32) (local $at i32) (local $bytes v128) (local $total v128)
    (loop $rows
      (local.set $end (i32.add (local.get $row) (local.get $dims)))
      (local.set $at (local.get $query))
      (local.set $total (v128.const i32x4 0 0 0 0))
      (loop $components
        (local.set $bytes (v128.load (local.get $row)))
        (local.set $total
          (i32x4.add
            (local.get $total)
            (i32x4.add
              (i32x4.dot_i16x8_s (i16x8.extend_low_i8x16_s (local.get $bytes)) (v128.load (local.get $at)))
              (i32x4.dot_i16x8_s
                (i16x8.extend_high_i8x16_s (local.get $bytes))
                (v128.load offset=16 (local.get $at))))))
        (local.set $at (i32.add (local.get $at) (i32.const 32)))
        (local.set $row (i32.add (local.get $row) (i32.const 16)))
        (br_if $components (i32.lt_u (local.get $row) (local.get $end))))
      (i32.store
        (local.get $sum)
        (i32.add
          (i32.add
            (i32x4.extract_lane 0 (local.get $total))
            (i32x4.extract_lane 1 (local.get $total)))
          (i32.add
            (i32x4.extract_lane 2 (local.get $total))
            (i32x4.extract_lane 3 (local.get $total)))))
      (local.set $sum (i32.add (local.get $sum) (i32.const 4)))
      (local.set $count (i32.sub (local.get $count) (i32.const 1)))
      (br_if $rows (local.get $count)))))
