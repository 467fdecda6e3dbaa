package cuda_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/philox-go/rng/cuda"
	"github.com/philox-go/rng/internal/check"
)

// The check of the command line leaves no kernel out.
func TestEveryKernelIsChecked(t *testing.T) {
	dev := cuda.OpenForTest(t)
	for _, row := range (check.Device{Device: dev, Short: true}).Rows() {
		for i := range check.DeviceColumns {
			cell, err := row.Check(t.Context(), i)
			require.NoError(t, err)
			assert.Zero(t, cell.Failed, "%s: %s: %s", row.Name, cell.Case, cell.Wrong)
		}
	}
	assert.ElementsMatch(t, cuda.Stages(), cuda.LoadedStages(dev))
}
